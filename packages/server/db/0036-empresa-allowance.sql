-- How many live empresas whose RUT nothing has proven the operator lets an account hold; null for what everybody may.
alter table account add column unproven_empresas integer check (unproven_empresas >= 0);
