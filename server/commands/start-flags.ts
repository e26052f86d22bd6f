import { Option } from 'commander'
import { isRepeatable, kindOf } from '../config/flag-kind.ts'
import { helpOf } from '../config/flag-texts.ts'
import { type FlagKey, flagList, type NamedFlag } from '../contract/flags.ts'
import { flagName } from '../core/flag-names.ts'

/**
 * The flags of `start` as commands take them.
 * @param without those that it does not take
 * @param texts what its help says of a flag that is another there
 */
export function startFlags({
  without = [],
  texts = new Map(),
}: { without?: readonly FlagKey[]; texts?: ReadonlyMap<FlagKey, string> } = {}): Option[] {
  return flagList
    .filter(({ key }) => !without.includes(key))
    .map((flag) => optionOf(flag, texts.get(flag.key) ?? helpOf(flag)))
}

/** Values stay as they were typed: they are read where those of files and the environment are. */
function optionOf(flag: NamedFlag, description: string): Option {
  const option = new Option(nameWithValue(flag), description)
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
