-- For whom a page was minted, where whoever minted it said so: nobody else acts on it.
alter table onboarding_link add column person_rut text;
alter table onboarding_link add column person_name text;
