import { basename } from 'node:path'

/** What a run is called by where others read it: its first words, as far as they are plain. An argument may be a secret. */
export function plainWords([program = '', verb = '']: readonly string[]): string[] {
  const words = [basename(program).replace(/\.\w+$/, ''), verb]
  const plain = words.filter((word) => /^[a-z][a-z:-]{0,19}$/.test(word))
  return plain.length === 0 ? ['run'] : plain
}
