-- Figures that the State publishes and taxes are worked out with: UTM, UF, IPC, the interest of what is paid late. Loaded by
-- the operator, shared by every process and account; they win over the table that the program carries.
create table indicator (
  indicator text collate "C" not null check (indicator in ('utm', 'uf', 'ipc', 'interest')),
  -- `YYYY-MM`; of a UF the day, `YYYY-MM-DD`; of an interest the first month of its half year.
  period text collate "C" not null,
  -- Whole units of the last decimal that the indicator has: pesos of a UTM, hundredths of a peso of a UF.
  units bigint not null,
  loaded_at timestamptz not null,
  primary key (indicator, period)
);
