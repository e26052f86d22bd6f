import { Option } from 'commander'
import { isRepeatable, kindOf, schemaOf } from '../app/config/flag-kind.ts'
import { helpOf } from '../app/config/flag-texts.ts'
import { type FlagKey, flagList, type NamedFlag } from '../contract/flags.ts'
import { flagName } from '../core/flag-names.ts'
import { collect, offer } from './program/define.ts'

/**
 * Returns the flags of `start` as command options.
 * @param without flags that the command does not have
 * @param texts help of flags that differ from `start`
 */
export function startFlags({
  without = [],
  texts = new Map(),
}: { without?: readonly FlagKey[]; texts?: ReadonlyMap<FlagKey, string> } = {}): Option[] {
  return flagList
    .filter(({ key }) => !without.includes(key))
    .map((flag) => optionOf(flag, texts.get(flag.key) ?? helpOf(flag)))
}

/** Values stay strings: they are parsed together with those of the environment and the fixtures file. */
function optionOf(flag: NamedFlag, description: string): Option {
  const { enum: choices = [] } = schemaOf(flag)
  const values = flag.placeholder === 'user' ? 'user' : choices.map(String)
  const option = offer(new Option(nameWithValue(flag), description), values)
  if (isRepeatable(flag)) option.argParser(collect)
  return option.helpGroup(
    flag.neverFromFile === undefined
      ? 'Options (or environment variables HUB_SANDBOX_…, or "config" in fixtures):'
      : 'Options that are never read from a fixtures file:',
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
