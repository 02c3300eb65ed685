-- IVA of notas de crédito that came too late to lower the debit ("IVA fuera de plazo"; D.L. 825, art. 21 and 70).
alter table rcv_entry add column iva_late bigint not null default 0;
