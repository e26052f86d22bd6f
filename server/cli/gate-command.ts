import { suggestion } from '../contract/suggestion.ts'
import { adviceLevels } from '../contract/words/advice-words.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Gate } from '../lab/report/report.ts'
import { CommandError } from './command-error.ts'

/**
 * Reads `--fail-on` and `--max-warnings`.
 * @throws {CommandError} with exit code 2
 */
export function readGate({
  failOn = 'error',
  maxWarnings,
}: {
  failOn?: string
  maxWarnings?: string
}): Gate {
  const known = [...adviceLevels, 'likely', 'none'] as const
  const name = known.find((one) => one === failOn)
  if (name === undefined) {
    throw new CommandError(
      `Unknown level ${failOn}${suggestion(failOn, [...known])}. Pass --fail-on with one of: ${known.join(', ')}.`,
      { exitCode: 2 },
    )
  }
  const level = name === 'likely' ? 'warning' : name === 'none' ? undefined : name
  return {
    likely: name === 'likely',
    ...omitUndefined({ level, maxWarnings: readCount(maxWarnings) }),
  }
}

function readCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new CommandError(
    `Invalid number "${text}": pass --max-warnings with a number, such as 0.`,
    { exitCode: 2 },
  )
}
