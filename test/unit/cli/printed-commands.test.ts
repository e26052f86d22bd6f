import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../../server/cli/program.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

interface Printed {
  file: string
  words: readonly string[]
}

/** Titles of reports, which begin as a command does. */
const titles = new Set(['audit of'])

/** Folder of the examples in help texts, which `test/contract/cli-examples.test.ts` runs. */
const ownExamples = 'server/cli/rows/'

/** Returns each command line in the texts of a file. */
function printedCommands(file: string): Printed[] {
  const text = readFileSync(`${root}${file}`, 'utf8')
  return [...text.matchAll(/["'`(: ]hub-sandbox ([a-z][^"'`)\n]*)/g)]
    .map(([, line = '']) => line.replace(/\.$/, '').split(' -- ')[0]?.split(' ') ?? [])
    .filter((words) => !titles.has(words.slice(0, 2).join(' ')))
    .map((words) => ({ file, words }))
}

/** Returns the reason why the command line would be refused. */
function mistakeIn(words: readonly string[], command: Command): string | undefined {
  const [first = '', ...rest] = words
  const child = command.commands.find((one) => one.name() === first)
  if (child !== undefined) return mistakeIn(rest, child)
  let most = command.registeredArguments.some(({ variadic }) => variadic)
    ? Infinity
    : command.registeredArguments.length
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) {
      most -= 1
      if (most < 0) return `${command.name()} takes no argument ${word}`
      continue
    }
    const option = command.options.find(({ long, short }) => word === long || word === short)
    if (option === undefined) return `${command.name()} has no option ${word}`
    const next = words[at + 1]
    if (option.required || (option.optional && next?.startsWith('-') === false)) at += 1
  }
  return undefined
}

test('the program prints only commands that it takes', () => {
  const program = createProgram()
  const known = new Set(program.commands.map((command) => command.name()))
  const printed = ['server', 'renderer', 'electron']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith(ownExamples))
    .flatMap(printedCommands)
    .filter(({ words: [first = ''] }) => known.has(first))
  expect(printed.length).toBeGreaterThan(15)
  expect(
    printed.flatMap(({ file, words }) => {
      const mistake = mistakeIn(words, program)
      return mistake === undefined ? [] : [`${file}: ${words.join(' ')}: ${mistake}`]
    }),
  ).toEqual([])
})
