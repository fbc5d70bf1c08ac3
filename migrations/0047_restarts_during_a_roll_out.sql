-- A node of 0.2.0 that ends during a roll-out starts again: some of the migrations since name only the one before them.
-- beside: 0008
-- harmless: the rows are read at a start alone, and with 8 in each of them the rules of migrations find no harm
update schema_migration set beside = 8 where beside > 8 and name < '0047';
