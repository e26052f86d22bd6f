import { Refusal } from '../../core/refusal.ts'
import type { Discussion, Repo } from '../../store/entities/hub-entities.ts'
import {
  commitFiles,
  type CommitInput,
  draftCommit,
  type FileOperation,
} from '../commits/commits.ts'
import type { LfsOperation } from '../commits/lfs-operations.ts'
import { commitAsPullRequest, draftForPullRequest } from '../discussions/pull-requests.ts'
import { type Commit, type ObjectStore, readBlob } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { refusedFiles } from '../rules/file-rules.ts'
import { type ReadYaml, readmePath, readmeProblems } from '../rules/readme-check.ts'
import type { ParsedCommit } from './commit-operations.ts'
import { type AddedFile, findFileProblem } from './file-problems.ts'
import { gitTypeOf } from '../files/repo-names.ts'

export interface ReceiveDeps extends HubDeps {
  readonly objects: HubDeps['objects'] & { written(): Promise<void> | undefined }
  readonly loadYaml: () => Promise<ReadYaml>
}

/** Place that a commit is written to, and its author. */
export interface CommitTarget {
  /** Full name of a branch or of a pull request's ref. */
  readonly ref: string
  readonly userId: string
  /** Opens a pull request against the ref instead of moving it. */
  readonly asPullRequest: boolean
}

export interface ReceiveInput {
  /** The repo when the request began. */
  readonly repo: Repo
  /** Its objects from then on: the repo may be deleted while the body is read. */
  readonly objects: ObjectStore
  readonly content: Omit<ParsedCommit, 'passedOver'>
  /** Checks the target and the rights again; called whenever time has passed. @throws {Refusal} */
  readonly requireTarget: (repo: Repo) => CommitTarget
}

export interface ReceivedCommit {
  repo: Repo
  commit: Commit
  /** The pull request that was opened for it. */
  pullRequest?: Discussion
}

type Operations = readonly (FileOperation | LfsOperation)[]
type Addition = Extract<FileOperation, { kind: 'add' }>

/**
 * Receives commits over the API. Commits to one repo take turns, or each would be drafted again whenever another one has
 * moved its ref.
 */
export class CommitReceiver {
  readonly #deps: ReceiveDeps
  /** The last commit in progress of each repo, by the repo's id. */
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(deps: ReceiveDeps) {
    this.#deps = deps
  }

  /**
   * Checks a commit by the hub's rules, writes it to disk as a draft that no ref points to, then moves the ref.
   * @throws {Refusal} `invalid` for a refused file or README; as {@link commitFiles} and {@link commitAsPullRequest}
   */
  async receive({ repo, objects, content, requireTarget }: ReceiveInput): Promise<ReceivedCommit> {
    const deps = this.#deps
    await refuseFiles(deps, { repo, objects }, content.operations)
    await refuseReadme(deps, { repo, objects }, content.operations)
    const present = () => {
      const current = requirePresent(deps, repo)
      const { ref, userId, asPullRequest } = requireTarget(current)
      const input = { repo: current, revision: ref, actorId: userId, ...content }
      return { asPullRequest, input }
    }
    return this.#inTurn(repo.id, async () => {
      const draft = await writeDraft(deps, present()).catch((error: unknown) => {
        // A deleted repo or a lost right is the better reason.
        present()
        throw error
      })
      const { asPullRequest, input } = present()
      if (!asPullRequest) return commitFiles(deps, { ...input, draft })
      const { discussion, ...opened } = commitAsPullRequest(deps, { ...input, draft })
      return { ...opened, pullRequest: discussion }
    })
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work, work)
    this.#turns.set(id, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(id) === turn) this.#turns.delete(id)
    }
  }
}

/** @throws {Refusal} `invalid`, in the words of the hub, naming every file with the same problem */
async function refuseFiles(
  deps: ReceiveDeps,
  { repo, objects }: Pick<ReceiveInput, 'repo' | 'objects'>,
  operations: Operations,
): Promise<void> {
  const found = { pointer: [] as string[], binary: [] as string[], large: [] as string[] }
  for (const operation of operations) {
    if (operation.kind !== 'add') continue
    const problem = await findFileProblem(deps, repo, addedFile(objects, operation))
    if (problem !== undefined) found[problem.kind].push(operation.path)
  }
  for (const kind of ['pointer', 'binary', 'large'] as const) {
    if (found[kind].length > 0) throw refusedFiles(kind, found[kind])
  }
}

/** @throws {Refusal} `invalid` with every problem of the metadata */
async function refuseReadme(
  deps: ReceiveDeps,
  { repo, objects }: Pick<ReceiveInput, 'repo' | 'objects'>,
  operations: Operations,
): Promise<void> {
  const last = operations.findLast(({ path }) => path === readmePath)
  if (last?.kind !== 'add') return
  const content = Buffer.from(addedFile(objects, last).read()).toString()
  const found = readmeProblems(await deps.loadYaml(), { content, repoType: gitTypeOf(repo) })
  const problems = found.join('; ')
  if (problems === '') return
  throw new Refusal('invalid', problems, { detail: `README.md: ${problems}` })
}

function addedFile(objects: ObjectStore, operation: Addition): AddedFile {
  if ('content' in operation) {
    const content = Buffer.from(operation.content)
    return {
      size: content.length,
      read: () => content,
      readStart: async (bytes) => content.subarray(0, bytes),
    }
  }
  const { oid, size } = operation
  return {
    size,
    read: () => readBlob(objects, oid),
    readStart: async (end) =>
      Buffer.concat(await objects.openBlob(oid, { start: 0, end }).toArray()),
  }
}

/** Writes the commit before a ref points to it, so that a full disk refuses it without a trace. */
async function writeDraft(
  deps: ReceiveDeps,
  { asPullRequest, input }: { asPullRequest: boolean; input: CommitInput },
): Promise<Commit> {
  const draft = asPullRequest ? draftForPullRequest(deps, input) : draftCommit(deps, input)
  await deps.objects.written()
  return draft
}

/** @throws {Refusal} `not_found` when the repo was deleted meanwhile */
function requirePresent({ state }: Pick<HubDeps, 'state'>, { id }: Repo): Repo {
  const present = state.repos.get(id)
  if (present !== undefined) return present
  throw new Refusal('not_found', 'Repository not found', {
    hubError: 'RepoNotFound',
    detail: 'it was deleted while the commit was received',
  })
}
