-- Each of the six changes in the life of an order writes an entry of each index of its row. What another index finds as
-- well needs no entry: a reference is found by that of its beginnings, and the orders of a facility state by state.
-- beside: 0008
-- finalize
-- when finalized: 0.2.0 finds orders by their reference with it
drop index concurrently if exists sales_order_reference;
-- when finalized: 0.2.0 lists the orders of a facility with it
drop index concurrently if exists sales_order_facility;
