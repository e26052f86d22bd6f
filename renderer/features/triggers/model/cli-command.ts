import type { TriggerRequest } from '../../../../server/contract/control-events.ts'
import type { Overview } from '../../../../server/contract/control-health.ts'
import { shellWord } from '../../../lib/shell-quote.ts'

/** What one types to do the same from a shell, or in CI. */
export function cliCommand(request: TriggerRequest, commandLine: Overview['commandLine']): string {
  const call = commandLine.command.map(shellWord)
  const words = [...call, 'trigger', request.event, '--repo', shellWord(request.repo)]
  if (request.kind) words.push('--kind', request.kind)
  for (const [path, value] of Object.entries(request.overrides ?? {})) {
    words.push('--set', shellWord(`${path}=${overrideText(value)}`))
  }
  for (const path of request.remove ?? []) words.push('--remove', shellWord(path))
  if (request.mode === 'send') words.push('--send')
  if (request.repeat) words.push('--repeat', String(request.repeat.times))
  return [...words, ...commandLine.options.map(shellWord)].join(' ')
}

/** A value as `--set` reads it: JSON, or text where it is none. */
function overrideText(value: unknown): string {
  return typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
