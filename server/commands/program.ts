import type { Command } from 'commander'
import type { CodeCache } from './code-cache/load-program.ts'
import { addStatusAndStop } from './add-status-and-stop.ts'
import { addExec } from './exec/add-exec.ts'
import { addAudit } from './program/add-audit.ts'
import { addAuthorize } from './program/add-authorize.ts'
import { addCheck } from './program/add-check.ts'
import { addCimd } from './program/add-cimd.ts'
import { addCompletion } from './program/add-completion.ts'
import { addDeliveries } from './program/add-deliveries.ts'
import { addDemo } from './program/add-demo.ts'
import { addDevice } from './program/add-device.ts'
import { addDoctor } from './program/add-doctor.ts'
import { addDocs } from './program/add-docs.ts'
import { addEnv } from './program/add-env.ts'
import { addExperiment } from './program/add-experiment.ts'
import { addFlows } from './program/add-flows.ts'
import { addIdle } from './program/add-idle.ts'
import { addInit } from './program/add-init.ts'
import { addListen } from './program/add-listen.ts'
import { addMcp } from './program/add-mcp.ts'
import { addRequests } from './program/add-requests.ts'
import { addSpaceFrame } from './program/add-space-frame.ts'
import { addSummary } from './program/add-summary.ts'
import { addToken } from './program/add-token.ts'
import { addTokens } from './program/add-tokens.ts'
import { addTrigger } from './program/add-trigger.ts'
import { addEntry, addHelp, documentGroup, type Example, examplesOf } from './program/define.ts'
import type { Group, Row } from './program/row.ts'
import { barrier } from './rows/barriers.ts'
import { clock } from './rows/clock.ts'
import { fault } from './rows/faults.ts'
import { keys } from './rows/keys.ts'
import { reset, snapshot } from './rows/snapshots.ts'
import { createStartProgram } from './start-program.ts'

/** All commands, in the order of the help. */
const commands: readonly (Row | Group | ((program: Command, codeCache?: CodeCache) => void))[] = [
  addExec,
  addStatusAndStop,
  addInit,
  addEnv,
  addAuthorize,
  addToken,
  addTokens,
  addTrigger,
  addListen,
  addSpaceFrame,
  addDeliveries,
  addIdle,
  addFlows,
  addRequests,
  addSummary,
  addCheck,
  addAudit,
  addDevice,
  keys,
  clock,
  fault,
  addExperiment,
  barrier,
  snapshot,
  reset,
  addDemo,
  addCimd,
  addMcp,
  addDoctor,
  addDocs,
  addCompletion,
]

/** Creates the program with all commands. The code of a command is loaded when it is called. */
export function createProgram(codeCache?: CodeCache): Command {
  const program = createStartProgram(codeCache)
  for (const entry of commands) {
    if (typeof entry === 'function') entry(program, codeCache)
    else addEntry(program, entry, { program, codeCache })
  }
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
