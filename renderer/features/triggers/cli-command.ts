import type { TriggerRequest } from '../../../server/contract/control-events.ts'
import type { Overview } from '../../../server/contract/control-health.ts'

const plain = /^[\w./:@%+=,-]+$/

function quote(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** What one types to do the same from a shell, or in CI. */
export function cliCommand(request: TriggerRequest, commandLine: Overview['commandLine']): string {
  const call = commandLine.command.map(quote)
  const words = [...call, 'trigger', request.event, '--repo', quote(request.repo)]
  if (request.kind) words.push('--kind', request.kind)
  for (const [path, value] of Object.entries(request.overrides ?? {})) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    words.push('--set', quote(`${path}=${text}`))
  }
  for (const path of request.remove ?? []) words.push('--remove', quote(path))
  if (request.mode === 'send') words.push('--send')
  if (request.repeat) words.push('--repeat', String(request.repeat.times))
  return [...words, ...commandLine.options.map(quote)].join(' ')
}
