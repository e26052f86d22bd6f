import { Option } from 'commander'
import { isRepeatable, kindOf } from '../config/flag-kind.ts'
import { helpOf } from '../config/flag-texts.ts'
import { type FlagKey, flagList, type NamedFlag } from '../contract/flags.ts'
import { flagName } from '../core/flag-names.ts'

/** The flags of `start` as commands take them. */
export function startFlags(without: readonly FlagKey[] = []): Option[] {
  return flagList.filter(({ key }) => !without.includes(key)).map(optionOf)
}

/** Values stay as they were typed: they are read where those of files and the environment are. */
function optionOf(flag: NamedFlag): Option {
  const option = new Option(nameWithValue(flag), helpOf(flag))
  if (isRepeatable(flag)) {
    option.argParser((value: string, previous: string[] | undefined) => [
      ...(previous ?? []),
      value,
    ])
  }
  return option.helpGroup(
    flag.neverFromFile === undefined
      ? 'Options (also HUB_SANDBOX_… variables, and "config" in the fixtures file):'
      : 'Options that decide what others may reach (never from a file):',
  )
}

function nameWithValue(flag: NamedFlag): string {
  const { key, placeholder = 'value' } = flag
  switch (kindOf(flag)) {
    case 'switch':
      return flagName(key)
    case 'switch-or-text':
      return `${flagName(key)} [${placeholder}]`
    default:
      return `${flagName(key)} <${placeholder}>`
  }
}
