-- The portal of the SII shows a captcha to whoever asks faster than once a second: every process takes its turn here.
create table sii_turn (
  service text collate "C" primary key,
  -- From when on the next turn is free. By the clock of this database, which all processes have in common.
  free_at timestamptz not null
);
