-- What the SII said to a decision that it did not take, and when: {sentence, refused_at}. Null once it takes it, or
-- something else is decided.
alter table rcv_entry add column sii_refusal json;
