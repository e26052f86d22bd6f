import type { TriggerRequest } from '../../../../server/contract/control-events.ts'
import type { Overview } from '../../../../server/contract/control-health.ts'
import { shellWord } from '../../../lib/shell-quote.ts'

/** Command that does the same in a shell or in CI. */
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

/** Value for `--set`: JSON, or text if it is not JSON. */
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
