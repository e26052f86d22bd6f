import { Argument, type Command, Option } from 'commander'
import type { CodeCache } from '../code-cache/load-program.ts'
import { own } from '../../core/own.ts'
import { argumentName, collect, documented, offer } from './define.ts'
import type { Given, Group, Row } from './row.ts'

/** Adds the command of a row, or a group with its commands. */
export function addEntry(
  parent: Command,
  entry: Row | Group,
  codeCache: CodeCache | undefined,
): void {
  if ('load' in entry) return addRow(parent, entry, codeCache)
  const group = parent.command(entry.name).description(entry.does)
  for (const row of entry.rows) addRow(group, row, codeCache)
}

function addRow(parent: Command, row: Row, codeCache: CodeCache | undefined): void {
  const [name = '', ...operands] = row.name.split(' ')
  const { isDefault = false, does, connects = true } = row
  const command = parent.command(name, { isDefault }).description(does)
  for (const operand of operands) {
    const about = own(row.arguments ?? {}, argumentName(operand))
    command.addArgument(described(new Argument(operand, helpOf(about)), about))
  }
  for (const [flags, about] of Object.entries(row.options ?? {})) {
    const option = described(new Option(flags, helpOf(about)), about)
    if (typeof about === 'object') {
      if (about.repeatable === true) option.argParser(collect)
      if (about.required === true) option.makeOptionMandatory()
    }
    command.addOption(option)
  }
  command.action(async (...called: unknown[]) => {
    const act = (await row.load(codeCache)) as (...given: unknown[]) => Promise<void> | void
    // Without the command itself, which commander passes last.
    await act(...called.slice(0, -1))
  })
  documented(command, row)
  if (connects) addConnectOptions(command)
}

function helpOf(about: string | Given | undefined): string | undefined {
  return typeof about === 'object' ? about.help : about
}

function described<T extends Argument | Option>(given: T, about: string | Given | undefined): T {
  if (typeof about !== 'object') return given
  if (about.choices !== undefined) given.choices(about.choices)
  return offer(given, about.of ?? about.values)
}

/** Adds the options that choose the sandbox. */
function addConnectOptions(command: Command): void {
  const options = [
    ['--url <url>', 'URL of the sandbox (HUB_SANDBOX_URL)'],
    ['--data <folder>', 'Data folder of the sandbox (HUB_SANDBOX_DATA)'],
    ['--control-token <token>', 'Control token (HUB_SANDBOX_CONTROL_TOKEN)'],
  ] as const
  for (const [flags, description] of options) {
    command.addOption(new Option(flags, description).helpGroup('Options to choose the sandbox:'))
  }
}
