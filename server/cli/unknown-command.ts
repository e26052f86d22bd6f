import type { Command } from 'commander'
import { defaultCommandOf } from './program/define.ts'
import { nearest, suggestion } from '../contract/suggestion.ts'

/**
 * Refuses an unknown command by name. Commander alone would pass the word to the default command, which then has
 * too many arguments, or accepts it as one.
 * @param words after the name of the program
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
      // Ids do not resemble subcommands.
      if (takesArgument(command) && nearest(word, names) === undefined) return
      program.error(`error: unknown command '${word}'${suggestion(word, names)}`)
    } else command = next
  }
}

/** Returns whether the word may be an argument of the default command. */
function takesArgument(command: Command): boolean {
  return defaultCommandOf(command)?.registeredArguments.length !== 0
}
