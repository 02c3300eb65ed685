-- A person of the operator acts under a name alone: no RUT of theirs belongs to the customer, and none of the customer's roles
-- is theirs.
alter table evidence
  drop constraint evidence_check,
  add constraint evidence_names_its_actor check (
    num_nulls(actor_rut, actor_name, actor_role) in (0, 3)
    or via = 'operator' and actor_name is not null and num_nulls(actor_rut, actor_role) = 2
  );
