-- A delivery was keyed by its id and listed by its endpoint in a second index that repeats it. Whoever asks for one names its
-- endpoint too: one index serves both, and every delivery is written into one less, when it is made and when it is settled.
alter table webhook_delivery drop constraint webhook_delivery_pkey, add primary key (endpoint_id, id);
drop index webhook_delivery_of_endpoint;
