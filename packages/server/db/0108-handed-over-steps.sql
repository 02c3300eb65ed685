-- Why and since when a person of the operator does what is ours in a step of one empresa, in the place of the job: {why, at}.
alter table onboarding_step add column handed_over json;
