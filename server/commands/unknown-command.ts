import type { Command } from 'commander'
import { defaultCommandOf } from './program/define.ts'
import { nearest, suggestion } from '../core/suggestion.ts'

/**
 * Refuses a mistyped command by its name. Commander alone would hand the word to the default command, which then has
 * too many arguments, or takes it for one.
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
      // An id looks like none of them.
      if (takesArgument(command) && nearest(word, names) === undefined) return
      program.error(`error: unknown command '${word}'${suggestion(word, names)}`)
    } else command = next
  }
}

/** Whether what stands in place of a command may be meant for the one that is called by default. */
function takesArgument(command: Command): boolean {
  return defaultCommandOf(command)?.registeredArguments.length !== 0
}
