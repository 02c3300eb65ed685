import { listOf } from '../../../kernel/schema.ts'
import { defineOperation } from '../../operation.ts'
import { listUsageRecords, summarizeUsage } from './read.ts'
import { UsageQuery, UsageRecord, UsageRecordQuery, UsageSummary } from './schema.ts'

export const usageOperations = [
  defineOperation({
    id: 'usage.get',
    method: 'GET',
    path: '/usage',
    summary: 'Read the usage of a billing period',
    description: 'Reporting only: the plan is flat, per empresa, with unlimited documents.',
    reach: 'account',
    scope: 'empresas:read',
    query: UsageQuery,
    returns: UsageSummary,
    run: summarizeUsage,
  }),
  defineOperation({
    id: 'usage.records.list',
    method: 'GET',
    path: '/usage/records',
    summary: 'Read the usage ledger',
    description: 'Newest first. A record never changes, and outlives the sandbox empresa it tells of.',
    reach: 'account',
    scope: 'empresas:read',
    query: UsageRecordQuery,
    returns: listOf(UsageRecord),
    errors: ['invalid_cursor'],
    run: listUsageRecords,
  }),
]
