import { Readable } from 'node:stream'
import type { Deps } from '../deps.ts'
import { type ObjectStore, peelTags } from '../files/git-objects.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { GitError, GitProgram, type GitRun } from './git-program.ts'
import { RefFiles } from './packed-refs.ts'
import { type PruneRequest, pruneRepos } from './prune.ts'
import { flushPacket, PacketError, packetOf } from './pkt-line.ts'
import { Quarantine } from './quarantine.ts'
import { type Push, type PushResponse, receivePack } from './receive-pack.ts'
import { advertiseReceivePack } from './receive-report.ts'
import { printedLines } from './output-lines.ts'
import { findForeignWant, readFetchQuestion } from './upload-pack.ts'

/** Facts of a request. */
export interface GitCall {
  readonly repo: Repo
  /** Value of the header `Git-Protocol`. */
  readonly protocol?: string | undefined
  /** Ends the work when the client has left. */
  readonly signal: AbortSignal
}

export interface FetchCall extends GitCall {
  /** Called with the reason that a fetch is refused; the response may have begun. */
  readonly onRefusal: (problem: string) => void
}

/** Serves the repos of a sandbox to git clients. */
export class Git {
  readonly #deps: Deps
  readonly #program: GitProgram
  readonly #refFiles: RefFiles
  readonly #closing = new AbortController()
  #pruning: Promise<void> | undefined

  constructor(deps: Deps, program = new GitProgram()) {
    this.#deps = deps
    this.#program = program
    this.#refFiles = new RefFiles(() => deps.objects.temporary())
  }

  /**
   * Handles `info/refs?service=git-upload-pack`: returns the refs, or the capabilities of protocol 2.
   * @throws {Refusal} `not_emulated` where git is not installed, `overloaded`
   * @throws {GitError} when git fails
   * @see gitprotocol-http "Smart Server Response"
   */
  async advertiseUploadPack(call: GitCall): Promise<Readable> {
    const version = protocolVersion(call.protocol)
    const run = await this.#uploadPack(call, ['--advertise-refs'])
    const service = Buffer.concat([packetOf('# service=git-upload-pack\n'), flushPacket])
    return begun(run, { before: version === 2 ? [] : [service] })
  }

  /**
   * Handles `git-upload-pack`: returns refs or a pack, or an error line that git shows to its user.
   * @param body of the request, unpacked
   * @throws as {@link advertiseUploadPack}
   * @throws {PacketError} for an invalid body
   */
  async uploadPack(call: FetchCall, body: Buffer): Promise<Readable> {
    const { wants, problem, isShallow } = readFetchQuestion(body)
    const refuse = (reason: string) => {
      call.onRefusal(reason)
      return packetOf(`ERR upload-pack: ${reason}`.slice(0, mostShown))
    }
    const answer = (reason: string) => Readable.from([refuse(reason)])
    if (problem !== undefined) return answer(problem)
    const foreign = await this.#findForeign(call, wants)
    if (foreign !== undefined) return answer(`not our ref ${foreign}`)
    const run = await this.#uploadPack(call, [], [body])
    try {
      return await begun(run, { refuse: (error) => refuse(problemOf(error)) })
    } catch (error) {
      if (!hasDied(error)) throw error
      if (isShallow) return answer(problemOf(error))
      // The repo is complete and its refs were read before: if git fails before any output, the request was invalid.
      throw new PacketError(error.words || 'git does not understand it')
    }
  }

  /**
   * Handles `info/refs?service=git-receive-pack`.
   * @throws {Refusal} `not_emulated` if git is not installed, which unpacks pushes
   */
  async advertiseReceivePack(repo: Repo): Promise<Buffer> {
    await this.#program.require()
    return advertiseReceivePack(repo.refs)
  }

  /**
   * Handles `git-receive-pack`: receives a push.
   * @param body of the request, unpacked
   * @throws as {@link receivePack}
   */
  receivePack(
    {
      repo,
      signal,
      pusher,
      loadYaml,
    }: Omit<GitCall, 'protocol'> & Pick<Push, 'pusher' | 'loadYaml'>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<PushResponse> {
    const quarantine = async () => {
      await this.#program.require()
      return new Quarantine(this.#program, {
        folder: this.#deps.objects.temporary(),
        repo: await this.#folderFor(repo),
        signal,
        mostBytes: this.#deps.settings.caps.pushBytes,
        cpuSeconds: this.#deps.settings.caps.pushSeconds,
      })
    }
    return receivePack(this.#deps, { repo, pusher, body, quarantine, loadYaml })
  }

  /**
   * Removes unreachable objects that are older than two weeks; nothing where git is not installed.
   * @throws as {@link pruneRepos}
   */
  async prune(request: PruneRequest): Promise<void> {
    const pruning = pruneRepos(this.#program, this.#deps.objects, request, this.#closing.signal)
    // The caller receives its failure.
    this.#pruning = pruning.catch(() => undefined)
    return pruning
  }

  /** Ends all running work. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#program.close()
    await this.#pruning
  }

  /** Checks that wants are reachable from a ref: a client with a partial clone requests each file by its id. */
  async #findForeign(
    { repo, signal }: GitCall,
    wants: ReadonlySet<string>,
  ): Promise<string | undefined> {
    const refs = new Set(Object.values(repo.refs))
    const others = new Set([...wants].filter((id) => !refs.has(id)))
    if (others.size === 0) return undefined
    const { output, end } = await this.#program.run({
      // The newest commit first, with its files: the usual wants.
      args: ['rev-list', '--objects', '--no-object-names', '--in-commit-order', '--all'],
      folder: await this.#folderFor(repo),
      signal,
    })
    const foreign = await findForeignWant(others, printedLines(output))
    if (foreign !== undefined) await end
    return foreign
  }

  async #uploadPack(
    { repo, protocol, signal }: GitCall,
    options: readonly string[],
    input?: readonly Uint8Array[],
  ): Promise<GitRun> {
    await this.#program.require()
    const version = protocolVersion(protocol)
    const folder = await this.#folderFor(repo)
    return this.#program.run({
      args: ['upload-pack', '--strict', '--stateless-rpc', ...options, folder],
      folder,
      signal,
      ...(input === undefined ? {} : { input }),
      ...(version === 0 ? {} : { variables: { GIT_PROTOCOL: `version=${version}` } }),
    })
  }

  /** Prepares the bare repo with the refs of the state. */
  async #folderFor(repo: Repo): Promise<string> {
    // Opened first: the repo may be deleted meanwhile.
    const objects: ObjectStore = this.#deps.objects.of(repo)
    const folder = await this.#deps.objects.folderFor(repo)
    this.#refFiles.bring(folder, repo.refs, (id) => peelTags(objects, id))
    return folder
  }
}

/** Exit code of a git that failed by itself. */
const diedExitCode = 128
/** Limit of an error line, which may repeat input of the client. */
const mostShown = 1000

function hasDied(error: unknown): error is GitError {
  return error instanceof GitError && error.exitCode === diedExitCode
}

/** Returns git's error without its prefix. */
function problemOf({ words }: GitError): string {
  const line = /^fatal: (?:git upload-pack: )?(.+)$/m.exec(words)?.[1]
  return line ?? 'git does not understand it'
}

/** @see gitprotocol-v2 "HTTP Transport" */
function protocolVersion(header = ''): 0 | 1 | 2 {
  const versions = header.split(':').map((key) => /^version=([12])$/.exec(key)?.[1])
  return Math.max(0, ...versions.map((version) => Number(version ?? 0))) as 0 | 1 | 2
}

/**
 * Returns the output of a program once it begins; a failure before that is thrown.
 * @param how `before` precedes the output; `refuse` builds the line that reports a later failure
 */
async function begun(
  { output, end }: GitRun,
  how: { before?: readonly Uint8Array[]; refuse?: (error: GitError) => Uint8Array },
): Promise<Readable> {
  if (output.readableLength === 0 && !output.readableEnded) {
    await new Promise<unknown>((resolve) => {
      output.once('readable', resolve)
      output.once('end', resolve)
    })
  }
  if (output.readableLength === 0) await end
  return Readable.from(printed(output, end, how), { objectMode: false })
}

/** Bytes within which a pack must begin. */
const mostBeforePack = 64 * 1024

async function* printed(
  output: Readable,
  end: Promise<void>,
  { before = [], refuse }: Parameters<typeof begun>[1],
) {
  yield* before
  const said: Uint8Array[] = []
  let size = 0
  for await (const chunk of output as AsyncIterable<Uint8Array>) {
    if (size <= mostBeforePack) said.push(chunk)
    size += chunk.length
    yield chunk
  }
  try {
    await end
  } catch (error) {
    // Within a pack git has reported the failure itself; otherwise the reader must learn that the output is incomplete.
    const hasPack = size > mostBeforePack || Buffer.concat(said).includes('PACK')
    if (refuse === undefined || hasPack || !hasDied(error)) throw error
    yield refuse(error)
  }
}
