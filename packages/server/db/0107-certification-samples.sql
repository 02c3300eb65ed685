-- What people of the taxpayer look at before they approve the last steps of a certification.

-- What a printed sample shows: tipo, folio, case, whether it is the copy to cede, and its digest.
alter table certification_file add column sample json;

-- What the representante legal would declare, in the SII's words; null until they were read.
alter table certification add column statements json;
