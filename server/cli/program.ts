import type { Command } from 'commander'
import type { CodeCache } from './code-cache/load-program.ts'
import { completeCommand } from './complete-command.ts'
import { addExec } from './exec/add-exec.ts'
import { addEntry } from './program/add-entry.ts'
import { addHelp, documentGroup, type Example, examplesOf } from './program/define.ts'
import type { Group, Row } from './program/row.ts'
import { authorize, cimd, spaceFrame } from './rows/app-commands.ts'
import { barrier } from './rows/barrier-commands.ts'
import { audit, check, drift } from './rows/check-commands.ts'
import { clock } from './rows/clock-commands.ts'
import { demo } from './rows/demo-commands.ts'
import { device } from './rows/device-commands.ts'
import { experiment } from './rows/experiment-commands.ts'
import { fault } from './rows/fault-commands.ts'
import { keys } from './rows/key-commands.ts'
import { flows, requests, summary } from './rows/log-commands.ts'
import { completion, docs, env, init } from './rows/project-commands.ts'
import { pull } from './rows/pull-commands.ts'
import { doctor, mcp, status, stop } from './rows/sandbox-commands.ts'
import { reset, snapshot } from './rows/snapshot-commands.ts'
import { token, tokens } from './rows/token-commands.ts'
import { deliveries, idle, listen, trigger } from './rows/webhook-commands.ts'
import { createStartProgram } from './start-program.ts'

/** All commands after `start` and `exec`, in the order of the help. */
export const commands: readonly (Row | Group)[] = [
  status,
  stop,
  init,
  pull,
  env,
  authorize,
  token,
  tokens,
  trigger,
  listen,
  spaceFrame,
  deliveries,
  idle,
  flows,
  requests,
  summary,
  check,
  audit,
  drift,
  device,
  keys,
  clock,
  fault,
  experiment,
  barrier,
  snapshot,
  reset,
  demo,
  cimd,
  mcp,
  doctor,
  docs,
  completion,
]

/** Creates the program with all commands. The code of a command is loaded when it is called. */
export function createProgram(codeCache?: CodeCache): Command {
  const program = createStartProgram(codeCache)
  addExec(program)
  for (const entry of commands) addEntry(program, entry, codeCache)
  program
    .command(completeCommand, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) =>
      (await import('./complete-line.ts')).complete(program, words),
    )
  for (const group of program.commands) if (group.commands.length > 0) documentGroup(group)
  return addHelp(program, () => firstExamples(program), programHelp)
}

/** Returns the examples for a new user. */
function firstExamples(program: Command): readonly Example[] {
  return ['start', 'env', 'exec', 'doctor'].flatMap((name) => {
    const command = program.commands.find((child) => child.name() === name)
    return command === undefined ? [] : examplesOf(command).slice(0, 1)
  })
}

const programHelp = [
  'Commands look for a running sandbox in this order: --url; the lock file in the folder of --data; HUB_SANDBOX_URL; the lock file in the default data folder (HUB_SANDBOX_DATA); port 7420.',
  '',
  '"hub-sandbox help COMMAND" shows the options of a command, with examples.',
  'In a project that has the package, use "npx --no hub-sandbox COMMAND". Without --no, npx offers to install a package of this name from the registry if the project lacks it.',
  '',
  'With --json, stdout has JSON only: a list prints the items of the control API as an array, any other command the response of the control API. /_sandbox/openapi.json describes them.',
  '',
  'Exit codes: 0 success; 1 request refused, unknown name or no sandbox found; 2 invalid usage.',
].join('\n')
