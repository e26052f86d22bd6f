import { CommandError } from './command-error.ts'
import { readJsonOrText } from './read-options.ts'

/** Parses `discussion.title=Hello`, or JSON after the equals sign: `comment.hidden=true`. */
export function readOverride(text: string): [path: string, value: unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new CommandError(`--set must be path=value, not ${text}`, { exitCode: 2 })
  return [text.slice(0, at), readJsonOrText(text.slice(at + 1))]
}
