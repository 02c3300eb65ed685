import type { Command } from './command.ts'
import { ENVIRONMENT } from './config/env.ts'
import { EXIT } from './exit.ts'
import { byGroup, usageOf } from './help.ts'

/** Tables of the README, which a test compares with it. */

export function commandTables(commands: readonly Command[]): string {
  return [...byGroup(commands)]
    .map(([group, rows]) => {
      const lines = rows.map((command) => `| \`${usageOf(command)}\` | ${command.summary} |`)
      return `**${group}**\n\n| | |\n|---|---|\n${lines.join('\n')}`
    })
    .join('\n\n')
}

export function exitTable(): string {
  const rows = Object.values(EXIT).map(({ code, when }) => `| ${code} | ${when} |`)
  return `| Code | When |\n|---|---|\n${rows.join('\n')}`
}

export function environmentTable(): string {
  const rows = Object.entries(ENVIRONMENT).map(([name, says]) => `| \`${name}\` | ${says} |`)
  return `| Name | What it is for |\n|---|---|\n${rows.join('\n')}`
}
