import { createHash } from 'node:crypto'
import type { RefusalCode } from '../../../server/core/refusal.ts'

// What a repo is, emitted a second time in as few words as possible: every file of every commit stands in a map, and the
// ids follow from the format of git, which is written out here.

export interface ModelFile {
  readonly mode: string
  readonly content: string
}

export type Files = ReadonlyMap<string, ModelFile>

export interface ModelCommit {
  readonly id: string
  readonly files: Files
  readonly parents: readonly string[]
  readonly by: string
  readonly message: string
  readonly seconds: number
}

export type Operation =
  | { kind: 'add'; path: string; content: string; oldPath?: string }
  | { kind: 'lfs'; path: string; oid: string }
  | { kind: 'delete' | 'deleteFolder'; path: string }

/** Uploadable contents by SHA-256. */
export const largeContents = new Map(
  ['large\n', 'larger\n'].map((text) => [
    createHash('sha256').update(text).digest('hex'),
    Buffer.from(text),
  ]),
)

/** Pointer to a content of Git LFS. */
export function pointerTo(oid: string): string {
  const size = largeContents.get(oid)?.length ?? 0
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`
}

const pointers = new Map([...largeContents.keys()].map((oid) => [pointerTo(oid), oid]))

/** A commit that somebody made elsewhere, with all its changes: null takes a file away. */
type Edit = readonly (readonly [path: string, file: ModelFile | null])[]

/** Command of a push. `from` is a ref or the index of a commit. */
export interface PushedChange {
  readonly ref: string
  readonly what: 'commits' | 'merge' | 'tag object' | 'as it is' | 'delete'
  readonly from: Place
  readonly edits: readonly Edit[]
  /** The expected commit is outdated. */
  readonly isLate: boolean
}

export type Place = string | number

export type Step =
  | { do: 'commit' | 'propose'; ref: string; parent: Place | null; operations: Operation[] }
  | { do: 'make branch'; name: string; from: Place; how: 'plain' | 'empty' | 'overwrite' }
  | { do: 'make tag'; name: string; from: Place }
  | { do: 'delete branch' | 'delete tag' | 'move' | 'duplicate'; name: string }
  | { do: 'upload'; oid: string }
  | { do: 'delete and make again' }
  | { do: 'open pull request' | 'squash'; ref: string }
  | { do: 'set status'; num: number; status: 'open' | 'closed' }
  | { do: 'merge'; num: number }
  | { do: 'push'; changes: PushedChange[]; atomic: boolean }

/** A {@link Step}, with what its places are for just then. */
export type Act =
  | { do: 'commit' | 'propose'; ref: string; parent: string | null; operations: Operation[] }
  | { do: 'make branch'; name: string; from: string; how: 'plain' | 'empty' | 'overwrite' }
  | { do: 'make tag'; name: string; from: string }
  | Extract<
      Step,
      | { name: string; from?: never }
      | { ref: string; operations?: never }
      | { num: number }
      | { oid: string }
      | { do: 'delete and make again' }
    >
  | Push

/** Commands and objects of a push. */
export interface Push {
  readonly do: 'push'
  readonly atomic: boolean
  readonly commands: { ref: string; oldId: string | null; newId: string | null }[]
  readonly objects: GitBytes[]
}

export interface GitBytes {
  readonly id: string
  /** Header and content: what is hashed. */
  readonly bytes: Buffer
}

/** Event of a change, without user and repo. */
export type Emitted =
  | {
      scope: 'repo.content'
      action: 'update'
      updatedRefs: { ref: string; oldSha: string | null; newSha: string | null }[]
    }
  | { scope: 'discussion'; action: 'create' | 'update'; num: number; status: Pull['status'] }
  | { scope: 'repo'; action: 'move'; movedTo: string }
  | { scope: 'repo'; action: 'create' | 'delete' }

export interface Pull {
  readonly num: number
  readonly base: string
  readonly title: string
  status: 'draft' | 'open' | 'closed' | 'merged'
  /** Commits in its timeline. */
  readonly commits: Set<string>
}

export interface Outcome {
  readonly refused?: RefusalCode | undefined
  readonly emitted: Emitted[]
  /** Success of each command of a push. */
  readonly done?: boolean[] | undefined
}

class Refused extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode) {
    super(code)
    this.code = code
  }
}

/** No pull request has it. */
export const nobodysNum = 99

const main = 'refs/heads/main'
const attributes = '.gitattributes'

export class RepoModel {
  name: string
  readonly names: Set<string>
  /** Names of other repos in lower case. */
  readonly taken: Set<string>
  /** SHA-256 of the contents that commits may name. */
  readonly uploaded = new Set<string>()
  /** Every object that anybody has made, by its id. */
  readonly made = new Map<string, Buffer>()
  readonly refs = new Map<string, string>()
  readonly commits = new Map<string, ModelCommit>()
  readonly pulls: Pull[] = []
  readonly #user: string
  /** Contents of a new repo. */
  readonly #first: Files
  readonly #looksAtPushes: boolean
  /** Objects of tags, and the commits that they are for. */
  readonly #tags = new Map<string, string>()
  #seconds: number
  #emitted: Emitted[] = []

  constructor(repo: {
    name: string
    taken: string
    user: string
    files: Files
    seconds: number
    /** Whether a push may not bring pointers to what was never uploaded. */
    looksAtPushes: boolean
  }) {
    this.#looksAtPushes = repo.looksAtPushes
    this.#first = new Map([...repo.files].filter(([path]) => path === attributes))
    this.name = repo.name
    this.names = new Set([repo.name])
    this.taken = new Set([repo.taken.toLowerCase()])
    this.#user = repo.user
    this.#seconds = repo.seconds
    this.refs.set(main, this.#add(repo.files, [], 'initial commit\n', hubItself))
  }

  /** @param seconds of the clock */
  mean(step: Step, seconds: number): Act {
    this.#seconds = seconds
    switch (step.do) {
      case 'commit':
      case 'propose':
        return { ...step, parent: step.parent === null ? null : this.#idOf(step.parent) }
      case 'make branch':
      case 'make tag':
        return { ...step, from: this.#idOf(step.from) }
      case 'push':
        return this.#prepare(step.changes, step.atomic)
      case 'set status':
      case 'merge': {
        const isThere = this.pulls.length > 0 && step.num !== nobodysNum
        return isThere ? { ...step, num: ((step.num - 1) % this.pulls.length) + 1 } : step
      }
      default:
        return step
    }
  }

  /** Does it, or leaves all as it was. */
  take(act: Act): Outcome {
    this.#emitted = []
    if (act.do === 'push') return { done: this.#push(act), emitted: this.#emitted }
    try {
      this.#do(act)
      return { emitted: this.#emitted }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { refused: error.code, emitted: [] }
    }
  }

  commitOf(ref: string): ModelCommit | undefined {
    const id = this.refs.get(ref)
    return id === undefined ? undefined : this.commits.get(this.#tags.get(id) ?? id)
  }

  /** A commit and all before it. */
  ancestors(ids: Iterable<string>): Set<string> {
    const all = new Set(ids)
    for (const id of all) for (const parent of this.#commit(id).parents) all.add(parent)
    return all
  }

  #do(act: Exclude<Act, Push>): void {
    switch (act.do) {
      case 'upload':
        this.uploaded.add(act.oid)
        return
      case 'delete and make again':
        this.#emitted.push({ scope: 'repo', action: 'delete' })
        this.uploaded.clear()
        this.commits.clear()
        return this.#begin(this.name, () =>
          this.#add(this.#first, [], 'initial commit\n', hubItself),
        )
      case 'duplicate': {
        if (this.#isTaken(act.name) || areAlike(act.name, this.name)) throw new Refused('conflict')
        const id = this.refs.get(main) ?? ''
        const kept = this.ancestors([id])
        for (const other of this.commits.keys()) if (!kept.has(other)) this.commits.delete(other)
        this.taken.add(this.name.toLowerCase())
        return this.#begin(act.name, () => id)
      }
      case 'commit': {
        const head = this.#writable(act.ref)
        const pull = this.#openPull(act.ref)
        if (act.parent !== null && act.parent !== head.id) throw new Refused('outdated')
        const files = this.#applied(head.files, act.operations)
        const id = this.#add(files, [head.id], 'A change\n')
        pull?.commits.add(id)
        return this.#moveRefs([[act.ref, id]])
      }
      case 'propose': {
        const base = this.#branch(act.ref)
        const parent = act.parent === null ? base : this.#resolve(act.parent)
        const files = this.#applied(parent.files, act.operations)
        const id = this.#add(files, [parent.id], 'A change\n')
        return this.#open({ base: act.ref, title: 'A change', status: 'open', commits: [id] }, id)
      }
      case 'open pull request': {
        const { id } = this.#branch(act.ref)
        return this.#open({ base: act.ref, title: 'A wish', status: 'draft', commits: [] }, id)
      }
      case 'make branch': {
        const ref = `refs/heads/${act.name}`
        if (!this.refs.has(ref)) this.#requireRoom(ref)
        else if (act.how !== 'overwrite') throw new Refused('conflict')
        const id =
          act.how === 'empty'
            ? this.#add(new Map(), [], 'initial commit\n', hubItself)
            : this.#resolve(act.from).id
        return this.#moveRefs([[ref, id]])
      }
      case 'make tag': {
        const ref = `refs/tags/${act.name}`
        const { id } = this.#resolve(act.from)
        if (this.refs.has(ref)) throw new Refused('conflict')
        this.#requireRoom(ref)
        return this.#moveRefs([[ref, id]])
      }
      case 'delete branch':
        if (act.name === 'main') throw new Refused('invalid')
        return this.#delete(`refs/heads/${act.name}`)
      case 'delete tag':
        return this.#delete(`refs/tags/${act.name}`)
      case 'squash': {
        const head = this.#writable(act.ref)
        const pull = this.#openPull(act.ref)
        const id = this.#add(head.files, [], 'All at once\n')
        pull?.commits.add(id)
        return this.#moveRefs([[act.ref, id]])
      }
      case 'set status': {
        const pull = this.#pull(act.num)
        if (pull.status === 'merged') throw new Refused('conflict')
        if (pull.status === act.status) throw new Refused('invalid')
        return this.#setStatus(pull, act.status)
      }
      case 'merge':
        return this.#merge(this.#pull(act.num))
      case 'move':
        if (this.#isTaken(act.name)) throw new Refused('conflict')
        if (this.name === act.name) return
        this.name = act.name
        this.names.add(act.name)
        this.#emitted.push({ scope: 'repo', action: 'move', movedTo: act.name })
    }
  }

  /** From here on it is another repo, with one commit and those before it. */
  #begin(name: string, makeHead: () => string): void {
    this.name = name
    this.names.clear()
    this.names.add(name)
    this.refs.clear()
    this.pulls.length = 0
    this.#tags.clear()
    this.refs.set(main, makeHead())
    this.#emitted.push({ scope: 'repo', action: 'create' })
  }

  #isTaken(name: string): boolean {
    return this.taken.has(name.toLowerCase())
  }

  #applied(before: Files, operations: readonly Operation[]): Files {
    const isMissing = (each: Operation) => each.kind === 'lfs' && !this.uploaded.has(each.oid)
    if (operations.some(isMissing)) throw new Refused('unprocessable')
    return applied(before, operations)
  }

  #merge(pull: Pull): void {
    if (pull.status === 'draft') throw new Refused('invalid')
    if (pull.status !== 'open') throw new Refused('conflict')
    const base = this.#writable(pull.base)
    const head = this.#writable(`refs/pr/${pull.num}`)
    const common = this.#newestCommon(base.id, head.id)
    const before = common?.files ?? new Map<string, ModelFile>()
    const [here, there] = [changesOf(before, base.files), changesOf(before, head.files)]
    const isTaken = (path: string) =>
      [...here].some(([other, file]) => file !== null && areInEachOther(path, other))
    const merged = new Map(base.files)
    for (const [path, file] of there) {
      const ours = here.get(path)
      if (ours === undefined ? file !== null && isTaken(path) : !isSame(ours, file)) {
        throw new Refused('conflict')
      }
      if (file === null) merged.delete(path)
      else merged.set(path, file)
    }
    if (common?.id === head.id) throw new Refused('invalid')
    const id =
      common?.id === base.id
        ? head.id
        : this.#add(merged, [base.id, head.id], `${pull.title} (#${pull.num})\n`)
    this.#setStatus(pull, 'merged')
    this.#moveRefs([[pull.base, id]])
  }

  /** Makes what a push brings; nothing of it is in the repo yet. */
  #prepare(changes: readonly PushedChange[], atomic: boolean): Push {
    const objects: GitBytes[] = []
    const commands = changes.map(({ ref, what, from, edits, isLate }) => {
      const oldId = isLate ? 'f'.repeat(40) : (this.refs.get(ref) ?? null)
      if (what === 'delete') return { ref, oldId, newId: null }
      let commit = this.commits.get(this.#idOf(from)) ?? this.#writable(main)
      const bring = (files: Files, parents: string[], message: string) => {
        // Of two commits the newer one is later, so that it is clear which of those in common is the newest.
        this.#seconds += 1
        const made = this.#make({ files, parents, message, by: elsewhere })
        objects.push(...made.bytes)
        commit = made.commit
      }
      if (what === 'merge') bring(commit.files, [commit.id, this.#writable(main).id], 'Both\n')
      if (what !== 'as it is') {
        for (const edit of edits) bring(edited(commit.files, edit), [commit.id], 'By hand\n')
      }
      if (what !== 'tag object' || !ref.startsWith('refs/tags/'))
        return { ref, oldId, newId: commit.id }
      const tag = encode(
        'tag',
        `object ${commit.id}\ntype commit\ntag ${ref.slice('refs/tags/'.length)}\ntagger ${elsewhere} ${this.#seconds} -0800\n\nOne\n`,
      )
      objects.push(tag)
      this.made.set(tag.id, tag.bytes)
      this.#tags.set(tag.id, commit.id)
      return { ref, oldId, newId: tag.id }
    })
    return { do: 'push', atomic, commands, objects }
  }

  #push({ commands, atomic }: Push): boolean[] {
    const refused = new Set<string>()
    const count = (ref: string) => commands.filter((command) => command.ref === ref).length
    for (const { ref, oldId, newId } of commands) {
      const isThere = this.refs.has(ref)
      const num = Number(/^refs\/pr\/(\d+)$/.exec(ref)?.[1] ?? 0)
      const cannot =
        count(ref) > 1 ||
        (this.refs.get(ref) ?? null) !== oldId ||
        (newId === null && (ref === main || num > 0)) ||
        (num > 0 && (!isThere || !isOpen(this.pulls[num - 1])))
      if (cannot) refused.add(ref)
    }
    const goes = (command: Push['commands'][number]) =>
      command.newId === null && !refused.has(command.ref)
    const gone = new Set(commands.flatMap((command) => (goes(command) ? [command.ref] : [])))
    const present = new Set([...this.refs.keys()].filter((ref) => !gone.has(ref)))
    for (const { ref, newId } of commands) {
      if (refused.has(ref) || newId === null) continue
      if (!this.refs.has(ref) && [...present].some((other) => areInEachOther(ref, other))) {
        refused.add(ref)
      } else present.add(ref)
    }
    if (atomic && refused.size > 0) return commands.map(() => false)
    const wanted = commands.filter(({ ref }) => !refused.has(ref))
    if (this.#looksAtPushes && this.#lacksContents(wanted)) return commands.map(() => false)
    const moving = commands.filter(({ ref, oldId, newId }) => !refused.has(ref) && oldId !== newId)
    for (const { ref, newId } of moving) {
      const pull = this.#openPull(ref)
      if (pull === undefined || newId === null) continue
      const known = [this.refs.get(ref), this.refs.get(pull.base)].flatMap((id) => id ?? [])
      const before = this.ancestors(known)
      for (const id of this.ancestors([newId])) if (!before.has(id)) pull.commits.add(id)
    }
    if (moving.length > 0) this.#moveRefs(moving.map(({ ref, newId }) => [ref, newId] as const))
    return commands.map(({ ref }) => !refused.has(ref))
  }

  /** Whether what is new in a push has a pointer to what was never uploaded. */
  #lacksContents(commands: Push['commands']): boolean {
    const before = this.ancestors(this.refs.values())
    const after = this.ancestors(commands.flatMap(({ newId }) => newId ?? []))
    return [...after].some(
      (id) =>
        !before.has(id) &&
        [...this.#commit(id).files.values()].some(({ content }) => {
          const oid = pointers.get(content)
          return oid !== undefined && !this.uploaded.has(oid)
        }),
    )
  }

  #moveRefs(targets: readonly (readonly [ref: string, id: string | null])[]): void {
    const updatedRefs = targets.flatMap(([ref, newSha]) => {
      const oldSha = this.refs.get(ref) ?? null
      if (newSha === null) this.refs.delete(ref)
      else this.refs.set(ref, newSha)
      return oldSha === newSha ? [] : [{ ref, oldSha, newSha }]
    })
    if (updatedRefs.length === 0) return
    this.#emitted.push({ scope: 'repo.content', action: 'update', updatedRefs })
  }

  /** As the API does it, whose events name the commit of a tag; a push names the tag's own object. */
  #delete(ref: string): void {
    const id = this.refs.get(ref)
    if (id === undefined) throw new Refused('not_found')
    this.refs.delete(ref)
    const updatedRefs = [{ ref, oldSha: this.#tags.get(id) ?? id, newSha: null }]
    this.#emitted.push({ scope: 'repo.content', action: 'update', updatedRefs })
  }

  #open(made: Omit<Pull, 'num' | 'commits'> & { commits: string[] }, headId: string): void {
    const num = this.pulls.length + 1
    this.pulls.push({ ...made, num, commits: new Set(made.commits) })
    this.#moveRefs([[`refs/pr/${num}`, headId]])
    this.#emitted.push({ scope: 'discussion', action: 'create', num, status: made.status })
  }

  #setStatus(pull: Pull, status: Pull['status']): void {
    pull.status = status
    this.#emitted.push({ scope: 'discussion', action: 'update', num: pull.num, status })
  }

  #pull(num: number): Pull {
    const pull = this.pulls[num - 1]
    if (pull === undefined) throw new Refused('not_found')
    return pull
  }

  /** @throws {Refused} for one that takes no more commits */
  #openPull(ref: string): Pull | undefined {
    const num = /^refs\/pr\/(\d+)$/.exec(ref)?.[1]
    if (num === undefined) return undefined
    const pull = this.#pull(Number(num))
    if (!isOpen(pull)) throw new Refused('conflict')
    return pull
  }

  #branch(ref: string): ModelCommit {
    const commit = this.#writable(ref)
    if (!ref.startsWith('refs/heads/')) throw new Refused('not_found')
    return commit
  }

  #writable(ref: string): ModelCommit {
    const commit = this.commitOf(ref)
    if (commit === undefined || ref.startsWith('refs/tags/')) throw new Refused('not_found')
    return commit
  }

  /** Only what a ref leads to is found. */
  #resolve(id: string): ModelCommit {
    const heads = [...this.refs.keys()].flatMap((ref) => this.commitOf(ref)?.id ?? [])
    if (!this.ancestors(heads).has(id)) throw new Refused('not_found')
    return this.#commit(id)
  }

  /** The commit of a place; where there is none, an id that is nobody's. */
  #idOf(place: Place): string {
    const id =
      typeof place === 'string'
        ? this.commitOf(place)?.id
        : [...this.commits.keys()][place % this.commits.size]
    return id ?? 'e'.repeat(40)
  }

  #newestCommon(a: string, b: string): ModelCommit | undefined {
    const [first, second] = [this.ancestors([a]), this.ancestors([b])]
    return [...first]
      .filter((id) => second.has(id))
      .map((id) => this.#commit(id))
      .toSorted((one, other) => other.seconds - one.seconds)[0]
  }

  #requireRoom(ref: string): void {
    if ([...this.refs.keys()].some((other) => areInEachOther(ref, other))) {
      throw new Refused('invalid')
    }
  }

  #add(files: Files, parents: string[], message: string, by = this.#user): string {
    return this.#make({ files, parents, message, by }).commit.id
  }

  #make(content: Omit<ModelCommit, 'id' | 'seconds'>): { commit: ModelCommit; bytes: GitBytes[] } {
    const { id, bytes } = encodeCommit({ ...content, seconds: this.#seconds })
    for (const object of bytes) this.made.set(object.id, object.bytes)
    const commit = { ...content, id, seconds: this.#seconds }
    this.commits.set(id, commit)
    return { commit, bytes }
  }

  #commit(id: string): ModelCommit {
    const commit = this.commits.get(this.#tags.get(id) ?? id)
    if (commit === undefined) throw new Error(`the model has no commit ${id}`)
    return commit
  }
}

const hubItself = 'system <system@users.noreply.localhost>'
const elsewhere = 'Zoë <zoe@elsewhere.example>'

function isOpen(pull: Pull | undefined): boolean {
  return pull?.status === 'draft' || pull?.status === 'open'
}

function areAlike(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase()
}

/** With a line for each file that none is for yet. A pattern without a slash is for that name in each folder. */
function attributesFor(text: string, paths: readonly string[]): string {
  const patterns = text.split('\n').map((line) => line.split(' ', 1)[0] ?? '')
  const isCovered = (path: string) =>
    patterns.some((pattern) => pattern === path || pattern === path.split('/').at(-1))
  const lines = paths
    .filter((path) => !isCovered(path))
    .map((path) => `${path} filter=lfs diff=lfs merge=lfs -text\n`)
  return [text, ...new Set(lines)].join('')
}

function applied(before: Files, operations: readonly Operation[]): Files {
  const changes = new Map<string, ModelFile | null>()
  const modeAt = (path: string) => (before.get(path)?.mode === '100755' ? '100755' : '100644')
  const large = operations.flatMap(({ kind, path }) => (kind === 'lfs' ? [path] : []))
  if (large.length > 0) {
    const content = attributesFor(before.get(attributes)?.content ?? '', large)
    changes.set(attributes, { mode: modeAt(attributes), content })
  }
  for (const operation of operations) {
    const { path } = operation
    if (operation.kind === 'add') {
      const old = operation.oldPath === undefined ? undefined : fileAt(before, operation.oldPath)
      if (operation.oldPath !== undefined) changes.set(operation.oldPath, null)
      changes.set(path, { mode: old?.mode ?? modeAt(path), content: operation.content })
    } else if (operation.kind === 'lfs') {
      changes.set(path, { mode: modeAt(path), content: pointerTo(operation.oid) })
    } else {
      const isGone = (file: string) =>
        file.startsWith(`${path}/`) || (operation.kind === 'delete' && file === path)
      const gone = [...before.keys()].filter(isGone)
      if (gone.length === 0) throw new Refused('not_found')
      for (const file of gone) changes.set(file, null)
    }
  }
  const after = new Map(before)
  for (const [path, file] of changes) {
    if (file === null) after.delete(path)
    else after.set(path, file)
  }
  const paths = [...after.keys()]
  if (paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)))) {
    throw new Refused('invalid')
  }
  return after
}

/** Writes a file as git does, replacing whatever is in its way. */
function edited(before: Files, edit: Edit): Files {
  const after = new Map(before)
  for (const [path, file] of edit) {
    for (const other of after.keys()) if (areInEachOther(path, other)) after.delete(other)
    if (file === null) after.delete(path)
    else after.set(path, file)
  }
  return after
}

function fileAt(files: Files, path: string): ModelFile {
  const file = files.get(path)
  if (file === undefined) throw new Refused('not_found')
  return file
}

function changesOf(before: Files, after: Files): Map<string, ModelFile | null> {
  const paths = new Set([...before.keys(), ...after.keys()])
  const changed = [...paths].filter(
    (path) => !isSame(before.get(path) ?? null, after.get(path) ?? null),
  )
  return new Map(changed.map((path) => [path, after.get(path) ?? null]))
}

function isSame(a: ModelFile | null, b: ModelFile | null): boolean {
  return a?.mode === b?.mode && a?.content === b?.content
}

/** Whether one would have to be a folder for the other to be in it. */
function areInEachOther(a: string, b: string): boolean {
  return a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
}

function encode(type: string, content: string | Buffer): GitBytes {
  const body = Buffer.from(content)
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  return { id: createHash('sha1').update(bytes).digest('hex'), bytes }
}

/** @returns the id of the commit, and all objects that it may need */
function encodeCommit(commit: Omit<ModelCommit, 'id'>): { id: string; bytes: GitBytes[] } {
  const bytes: GitBytes[] = []
  const keep = (object: GitBytes) => {
    bytes.push(object)
    return object.id
  }
  const tree = (files: Files): string => {
    const names = new Set([...files.keys()].map((path) => path.split('/', 1)[0] ?? ''))
    const entries = [...names].map((name) => {
      const file = files.get(name)
      if (file !== undefined)
        return { name, sorted: name, mode: file.mode, id: keep(encode('blob', file.content)) }
      const below = [...files].flatMap(([path, each]) =>
        path.startsWith(`${name}/`) ? [[path.slice(name.length + 1), each] as const] : [],
      )
      return { name, sorted: `${name}/`, mode: '40000', id: tree(new Map(below)) }
    })
    // All names are ASCII here, so letters come in the order of bytes.
    entries.sort((a, b) => (a.sorted < b.sorted ? -1 : 1))
    const parts = entries.flatMap(({ name, mode, id }) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(id, 'hex'),
    ])
    return keep(encode('tree', Buffer.concat(parts)))
  }
  const who = `${commit.by} ${commit.seconds} +0000`
  const lines = [
    `tree ${tree(commit.files)}`,
    ...commit.parents.map((id) => `parent ${id}`),
    `author ${who}`,
    `committer ${who}`,
  ]
  const id = keep(encode('commit', `${lines.join('\n')}\n\n${commit.message}`))
  return { id, bytes }
}
