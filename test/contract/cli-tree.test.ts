import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { completeCommand } from '../../server/cli/complete-command.ts'
import { createProgram } from '../../server/cli/program.ts'
import { defaultCommandOf, type Example, examplesOf } from '../../server/cli/program/define.ts'

/** Commands that users call, without groups and hidden ones. */
function leavesOf(command: Command, path: readonly string[] = []): [string, Command][] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]))
  }
  return command.name() === completeCommand ? [] : [[path.join(' '), command]]
}

const program = createProgram()
const leaves = leavesOf(program)

/** Why a command has no `--json`. */
const withoutJson: Readonly<Record<string, string>> = {
  completion: 'it prints a script for a shell',
  exec: 'what is on stdout is that of the program it runs',
  mcp: 'it speaks the protocol of MCP on stdout',
}

function expectText(help: string, text: string): void {
  expect(help).toContain(text)
}

function helpOf(command: Command, width = 80): string {
  let text = ''
  command.configureOutput({
    writeOut: (part) => void (text += part),
    getOutHelpWidth: () => width,
  })
  command.outputHelp()
  return text
}

function examplesBelow(command: Command): readonly Example[] {
  return [...examplesOf(command), ...command.commands.flatMap(examplesBelow)]
}

describe('every command', () => {
  test('exists', () => {
    expect(leaves.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        'start',
        'init',
        'env',
        'token',
        'trigger',
        'listen',
        'reset',
        'doctor',
        'completion',
        'tokens list',
        'tokens mint',
        'tokens revoke',
        'keys list',
        'keys rotate',
        'idle',
        'deliveries list',
        'deliveries replay',
        'deliveries cancel',
        'flows',
        'requests',
        'device list',
        'device approve',
        'device deny',
        'barrier add',
        'barrier list',
        'barrier release',
        'fault add',
        'fault list',
        'fault remove',
        'fault clear',
        'clock read',
        'clock advance',
        'clock preview',
        'clock set',
        'clock freeze',
        'clock resume',
      ]),
    )
  })

  test.each(leaves)(
    '%s prints JSON on request, or refuses --json with the reason',
    (path, command) => {
      const hasJson = command.options.some(({ long }) => long === '--json')
      expect(hasJson).toBe(!(path in withoutJson))
    },
  )

  test.each(leaves)('%s shows its usage in its help', (path, command) => {
    const examples = examplesOf(command)
    expect(examples.length).toBeGreaterThan(0)
    const help = helpOf(command)
    for (const { does, line } of examples) {
      expect(help).toContain(`  # ${does}\n  ${line}\n`)
      // By the group alone where it is the default.
      const isDefault = command.parent !== null && defaultCommandOf(command.parent) === command
      const names = isDefault ? path.split(' ').slice(0, -1) : [path]
      expect(line).toContain(['hub-sandbox', ...names].join(' '))
    }
  })

  test.each(leaves)('%s has a description, and so does each option', (_path, command) => {
    expect(command.description()).not.toBe('')
    expect(command.options.filter(({ description }) => description === '')).toEqual([])
  })

  test('a group shows the examples of its commands', () => {
    for (const group of program.commands.filter(({ commands }) => commands.length > 0)) {
      const help = helpOf(group)
      const lines = group.commands.flatMap(examplesOf).map(({ line }) => line)
      expect(lines.filter((line) => !help.includes(`\n  ${line}\n`))).toEqual([])
      const byDefault = defaultCommandOf(group)?.name()
      if (byDefault !== undefined) expectText(help, `runs "${group.name()} ${byDefault}"`)
    }
    expectText(helpOf(program), 'eval "$(hub-sandbox env)"')
  })

  test.each([
    [80, 'device-code,\n          token-exchange,'],
    [120, 'device-code, token-exchange,'],
  ])('the help fits a terminal of %i columns, except for examples', (width, part) => {
    const commands = [program, ...program.commands, ...leaves.map(([, command]) => command)]
    for (const command of commands) {
      const lines = helpOf(command, width).split('\n')
      const examples = examplesBelow(command).map(({ line }) => `  ${line}`)
      const long = lines.filter((line) => line.length > width && !examples.includes(line))
      expect(long).toEqual([])
    }
    const flows = program.commands.find((command) => command.name() === 'flows')
    expectText(flows === undefined ? '' : helpOf(flows, width), part)
  })

  test('a group with a list shows it by default', () => {
    const groups = program.commands.filter(({ commands }) =>
      commands.some((child) => child.name() === 'list'),
    )
    expect(groups.map((group) => group.name())).toEqual(
      expect.arrayContaining(['tokens', 'deliveries', 'device', 'keys', 'fault', 'barrier']),
    )
    for (const group of groups) {
      expect(defaultCommandOf(group)?.description()).toContain('(default)')
    }
  })
})

describe('contradictory options are refused before the command runs', () => {
  test.each([
    ['env --json --dotenv', '--json and --dotenv cannot be combined.'],
    ['env --json --for python', '--json and --for cannot be combined.'],
    ['env --space alice/page --client x', '--client and --space cannot be combined.'],
    ['trigger repo.content --list', '--list and <event> cannot be combined.'],
    [
      'trigger repo.content --repo acme/corpus --preview --repeat 3',
      '--preview and --repeat cannot be combined.',
    ],
    ['listen --secret x', '--secret requires --forward-to.'],
  ])('%s', async (line, message) => {
    const called = createProgram().parseAsync(line.split(' '), { from: 'user' })
    await expect(called).rejects.toMatchObject({ message, exitCode: 2 })
  })
})
