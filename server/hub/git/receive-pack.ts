import type { Deps } from '../deps.ts'
import type { Principal } from '../access/principal.ts'
import {
  applyPush,
  type CommandResult,
  judgePush,
  type PushInput,
  refuseAll,
  type RefCommand,
} from '../uploads/pushes.ts'
import { LooseFiles } from '../../store/objects/loose-files.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { StateError } from '../../store/errors.ts'
import { GitError } from './git-program.ts'
import { PacketReader } from './pkt-line.ts'
import {
  bytesOfMetadata,
  mostPushedMetadata,
  type ReadYaml,
  readmePath,
  readmeProblems,
} from '../rules/readme-check.ts'
import {
  describeOffences,
  findNewReadmes,
  findOffences,
  type Offence,
  type PushPlace,
} from './push-rules.ts'
import type { Quarantine } from './quarantine.ts'
import { readCommands } from './receive-commands.ts'
import { formatReport, type PushOutcome } from './receive-report.ts'
import { gitTypeOf } from '../files/repo-names.ts'

/** Caller of a push. */
export type Pusher = Exclude<Principal, { kind: 'anonymous' }>

export interface Push {
  readonly repo: Repo
  readonly pusher: Pusher
  /** Body of the request. */
  readonly body: AsyncIterable<Uint8Array>
  /** Loads the parser of a README's metadata. */
  readonly loadYaml: () => Promise<ReadYaml>
  /** Creates the quarantine. @throws {Refusal} if git is not installed */
  readonly quarantine: () => Promise<Quarantine>
}

/** Response to a push. */
export interface PushResponse {
  readonly body: Buffer
  /** Reason that every command was refused. */
  readonly refusal?: string
}

/**
 * Receives a push. Its objects are checked in a quarantine and moved into the repo; then the refs are checked again and moved in one step. A refused push changes nothing.
 * @throws {PacketError} for an invalid body
 * @throws {Refusal} `not_emulated`, `overloaded`
 */
export async function receivePack(deps: Deps, push: Push): Promise<PushResponse> {
  const reader = new PacketReader(push.body)
  try {
    const { commands, shallow, capabilities } = await readCommands(reader)
    // Before a large pack, clients send an empty request to check their access.
    if (commands.length === 0) return { body: Buffer.of() }
    const request = { commands, shallow, atomic: capabilities.has('atomic') }
    const outcome = await carryOut(deps, push, request, reader)
    const body = formatReport(outcome, capabilities)
    const refused = outcome.results.filter(({ problem }) => problem !== undefined)
    if (refused.length < commands.length) return { body }
    return { body, refusal: [...(outcome.words ?? []), ...refused.map(reasonOf)].join('\n') }
  } finally {
    await reader.close()
  }
}

function reasonOf({ ref, problem = '', detail }: CommandResult): string {
  return detail === undefined ? `${ref}: ${problem}` : `${ref}: ${problem} (${detail})`
}

interface Request {
  readonly commands: readonly RefCommand[]
  readonly shallow: readonly string[]
  readonly atomic: boolean
}

async function carryOut(
  deps: Deps,
  push: Push,
  request: Request,
  reader: PacketReader,
): Promise<PushOutcome> {
  const { commands } = request
  const { pusher, repo } = push
  const early = judgePush(deps, pusher, { ...request, repo })
  const possible = commands.filter((_, index) => early[index]?.problem === undefined)
  const ids = [...new Set(possible.flatMap(({ newId }) => newId ?? []))]
  if (possible.length === 0) return { results: early }
  if (ids.length === 0) return { results: move(deps, push, request) }
  try {
    return await bring(deps, push, request, { possible, reader })
  } catch (error) {
    // For a response outside its protocol, git shows only the status.
    if (!(error instanceof StateError)) throw error
    const { message } = error
    return { unpackProblem: message, results: refuseAll(commands, 'unpacker error', message) }
  }
}

/** @throws {StateError} when the disk refuses it; no ref has moved then */
async function bring(
  deps: Deps,
  push: Push,
  request: Request,
  { possible, reader }: { possible: readonly RefCommand[]; reader: PacketReader },
): Promise<PushOutcome> {
  const { commands } = request
  // Opened first: the repo may be deleted meanwhile.
  const objects = deps.objects.of(push.repo)
  const quarantine = await push.quarantine()
  try {
    const problem = await refusal(quarantine.unpack(reader.rest()))
    const declined =
      problem === undefined
        ? (await inspect(push, { deps, repo: push.repo, objects }, quarantine, possible))?.(
            commands,
          )
        : refuseUnpacked(request, objects, problem)
    // Checked again: if every command has become impossible meanwhile, no objects are stored.
    const late = now(deps, push, request, judgePush)
    if (late.every(({ problem }) => problem !== undefined)) return { results: late }
    if (declined !== undefined) return declined
    // Opened again: a reset replaces the store.
    await deps.objects.of(push.repo).takeLoose(quarantine.folder)
    return { results: move(deps, push, request) }
  } finally {
    await quarantine.remove()
  }
}

/** Refuses objects that git could not unpack; the history of a shallow clone may end before the repo's begins. */
function refuseUnpacked(
  { commands, shallow }: Request,
  objects: { has(id: string): boolean },
  problem: string,
): PushOutcome {
  const end = shallow.find((id) => !objects.has(id))
  if (end === undefined) {
    return { unpackProblem: problem, results: refuseAll(commands, 'unpacker error', problem) }
  }
  const detail = `the repo lacks the parents of ${end}, where the shallow clone begins: fetch the whole history there (git fetch --unshallow); git: ${problem}`
  return { results: refuseAll(commands, 'shallow update not allowed', detail) }
}

/** Checks the objects; the result, if any, refuses the whole push. */
async function inspect(
  push: Pick<Push, 'loadYaml'>,
  into: Omit<PushPlace, 'brought'>,
  quarantine: Quarantine,
  commands: readonly RefCommand[],
): Promise<((commands: readonly RefCommand[]) => PushOutcome) | undefined> {
  const updates = commands.flatMap(({ ref, newId }) => (newId === null ? [] : [{ ref, newId }]))
  const place = { ...into, brought: LooseFiles.within(quarantine.folder) }
  let offences: Offence[]
  try {
    offences = await findOffences(place, quarantine.listNew(updates.map(({ newId }) => newId)))
    // The README is checked only if every object is readable.
    if (offences.length === 0) offences = await findBadReadmes(push, place, updates)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    const { words } = error
    return (all) => ({ results: refuseAll(all, 'missing necessary objects', words) })
  }
  if (offences.length === 0) return undefined
  const refs = await findBringing(quarantine, updates, new Set(offences.map(({ id }) => id)))
  const words = describeOffences(offences, (id) => refs.get(id) ?? '')
  return (all) => ({ words, results: refuseAll(all, 'pre-receive hook declined') })
}

/** Checks the new README of each branch. */
async function findBadReadmes(
  { loadYaml }: Pick<Push, 'loadYaml'>,
  place: PushPlace,
  updates: readonly { ref: string; newId: string }[],
): Promise<Offence[]> {
  const heads = updates.flatMap(({ ref, newId }) => (ref.startsWith('refs/tags/') ? [] : [newId]))
  const readmes = findNewReadmes(place, heads)
  if (readmes.length === 0) return []
  const readYaml = await loadYaml()
  const offences: Offence[] = []
  let bytes = 0
  for (const id of readmes) {
    const content = place.brought.read(id).content.toString()
    bytes += bytesOfMetadata(content)
    if (bytes > mostPushedMetadata) {
      const problem = `the READMEs of a push can have ${mostPushedMetadata / 1024} KiB of metadata in all: push fewer branches at once`
      return [{ kind: 'readme', id, path: readmePath, problem }]
    }
    const problems = readmeProblems(readYaml, { content, repoType: gitTypeOf(place.repo) })
    for (const problem of problems) {
      offences.push({ kind: 'readme', id, path: readmePath, problem })
    }
  }
  return offences
}

/** Finds the first ref that contains each object. */
async function findBringing(
  quarantine: Quarantine,
  updates: readonly { ref: string; newId: string }[],
  ids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const refs = new Map<string, string>()
  const [only] = updates
  if (only !== undefined && updates.length === 1) {
    for (const id of ids) refs.set(id, only.ref)
    return refs
  }
  for (const { ref, newId } of updates) {
    if (refs.size === ids.size) break
    for await (const { id } of quarantine.listNew([newId])) {
      if (ids.has(id) && !refs.has(id)) refs.set(id, ref)
    }
  }
  return refs
}

/** Checks and moves the refs synchronously, so that nothing changes in between. */
function move(deps: Deps, push: Push, request: Request): CommandResult[] {
  return now(deps, push, request, applyPush)
}

/** Judges a push against the present repo. */
function now(
  deps: Deps,
  { repo: { id }, pusher }: Push,
  request: Request,
  judge: (deps: Deps, pusher: Pusher, input: PushInput) => CommandResult[],
): CommandResult[] {
  const repo = deps.state.repos.get(id)
  if (repo !== undefined) return judge(deps, pusher, { ...request, repo })
  return refuseAll(request.commands, 'Repository not found', 'it was deleted while the push came')
}

/** Returns git's error, or `undefined`. */
async function refusal(work: Promise<void>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return error.words === '' ? error.message : error.words
  }
}
