import type { Command } from 'commander'
import { suggestion } from '../core/suggestion.ts'

/**
 * Refuses a mistyped command by its name. Commander alone would hand the word to the default command, which then has
 * too many arguments.
 * @param words what was typed after the program's name
 * @throws {CommanderError}
 */
export function refuseUnknownCommand(program: Command, words: readonly string[]): void {
  let command = program
  for (const word of words) {
    if (word.startsWith('-') || command.commands.length === 0) return
    const next = command.commands.find((child) => child.name() === word)
    if (next === undefined) {
      if (word === 'help') return
      const names = command.commands.map((child) => child.name())
      program.error(`error: unknown command '${word}'${suggestion(word, names)}`)
    } else command = next
  }
}
