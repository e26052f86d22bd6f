import { basename } from 'node:path'

/** Returns the public name of a run: its first plain words only, since an argument may be a secret. */
export function plainWords([program = '', verb = '']: readonly string[]): string[] {
  const words = [basename(program).replace(/\.\w+$/, ''), verb]
  const plain = words.filter((word) => /^[a-z][a-z:-]{0,19}$/.test(word))
  return plain.length === 0 ? ['run'] : plain
}
