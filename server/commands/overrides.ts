import { CommandError } from './command-error.ts'

/** `discussion.title=Hello`, or JSON after the equals sign: `comment.hidden=true`. */
export function readOverride(text: string): [path: string, value: unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new CommandError(`--set must be path=value, not ${text}`, { exitCode: 2 })
  const value = text.slice(at + 1)
  try {
    return [text.slice(0, at), JSON.parse(value)]
  } catch {
    // Most values are plain text, and need no quotes for it.
    return [text.slice(0, at), value]
  }
}
