module example.com/crossdock

go 1.18
