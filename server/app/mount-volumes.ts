import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../core/refusal.ts'
import { errorCode } from '../store/errors.ts'
import { decide, openRepo } from '../hub/access/access.ts'
import type { Principal } from '../hub/access/principal.ts'
import {
  type BucketChange,
  changeBucketFiles,
  findBucketFile,
  listBucketFiles,
} from '../hub/buckets/bucket-files.ts'
import { storeStream } from '../hub/buckets/store-stream.ts'
import { filesOf } from '../hub/files/contents.ts'
import { largeFilesOf } from '../hub/files/lfs-files.ts'
import { resolveRevision } from '../hub/files/revisions.ts'
import type { HubDeps } from '../hub/hub-deps.ts'
import { type JobVolume, volumesOf } from '../hub/jobs/job-volumes.ts'
import type { MountVolumes } from '../hub/jobs/run-process.ts'
import { problemOfPath } from '../hub/rules/file-paths.ts'
import type { PermitDeps } from '../hub/access/access.ts'
import type { Repo } from '../store/entities/hub-entities.ts'
import type { Job } from '../store/entities/webhook-entities.ts'

/** File to write into the folder of a volume. */
interface Source {
  /** Path in the folder. */
  readonly path: string
  /** SHA-256, where it is known. */
  readonly oid?: string
  open(): Readable
}

/** Volume whose files are in a folder. */
interface Mounted {
  readonly volume: JobVolume
  readonly folder: string
  readonly repo: Repo
  readonly readOnly: boolean
  /** What was written, by the path in the folder. */
  readonly files: Map<
    string,
    { readonly size: number; readonly mtimeMs: number; readonly oid?: string }
  >
}

type Deps = HubDeps & PermitDeps

/**
 * Brings the volumes of jobs to the disk: files of repos and buckets, as far as the user of the job may read them. What the
 * job has changed in a bucket is stored when its process has ended, as one change by that user.
 */
export function createJobVolumes(deps: Deps) {
  return (job: Job, log: (line: string) => void): MountVolumes | undefined => {
    const volumes = volumesOf(job.spec)
    if (volumes.length === 0) return undefined
    const mounted: Mounted[] = []
    return {
      async mount(root) {
        const principal = principalOf(deps, job)
        for (const volume of volumes) {
          const { type, source, mountPath } = volume
          const one = await mountVolume(deps, principal, { root, volume, log }).catch((error) => {
            if (!(error instanceof Refusal)) throw error
            throw new Error(`cannot mount ${type} ${source}: ${error.message}`, { cause: error })
          })
          mounted.push(one)
          const note = one.readOnly ? ', read-only' : ''
          log(`${type} ${source} is at ${one.folder} for ${mountPath}${note}`)
        }
        const described = mounted.map(({ volume, folder, readOnly }) => {
          const { type, source, mountPath } = volume
          return { type, source, mountPath, folder, readOnly }
        })
        return { JOB_VOLUMES: JSON.stringify(described) }
      },
      async store() {
        for (const one of mounted.filter(({ readOnly }) => !readOnly)) {
          const others = mounted.filter((other) => other !== one).map(({ folder }) => folder)
          const count = await storeVolume(deps, job, one, others)
          if (count > 0) log(`bucket ${one.volume.source}: ${count} changed files are stored`)
        }
      },
    }
  }
}

/** The user that a job runs for. */
function principalOf({ state }: Deps, { creatorId = '' }: Job): Principal {
  const user = state.users.get(creatorId)
  return user === undefined ? { kind: 'anonymous' } : { kind: 'session', user }
}

/** @throws {Refusal} for a source that the user may not read, or a folder that is not in it */
async function mountVolume(
  deps: Deps,
  principal: Principal,
  { root, volume, log }: { root: string; volume: JobVolume; log: (line: string) => void },
): Promise<Mounted> {
  const { type, source: name, mountPath, path } = volume
  const { repo } = openRepo(deps, principal, { type, name, action: 'repo.download' })
  const readOnly =
    volume.readOnly || !decide(deps, principal, { action: 'repo.write', repo }).allowed
  // Apart from the working and home folder, where a file could make a program run it.
  const folder = join(root, 'volumes', ...mountPath.split('/'))
  await mkdir(folder, { recursive: true })
  const files: Mounted['files'] = new Map()
  const sources =
    type === 'bucket' ? bucketSources(deps, repo) : await repoSources(deps, repo, volume)
  const prefix = path === '' ? '' : `${path}/`
  for (const source of sources) {
    if (!source.path.startsWith(prefix)) continue
    const inside = source.path.slice(prefix.length)
    const file = join(folder, ...inside.split('/'))
    try {
      await mkdir(dirname(file), { recursive: true })
      await pipeline(source.open(), createWriteStream(file, { flags: 'wx' }))
    } catch (error) {
      // A bucket may have both `a` and `a/b`, and names that are one on this disk.
      if (!['EEXIST', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) throw error
      log(`${type} ${name}: ${source.path} is left out, since another file is in its place`)
      continue
    }
    const { size, mtimeMs } = await lstat(file)
    files.set(inside, { size, mtimeMs, ...(source.oid !== undefined && { oid: source.oid }) })
  }
  if (path !== '' && files.size === 0) {
    throw new Refusal('not_found', `it has no folder ${path}`)
  }
  return { volume, folder, repo, readOnly, files }
}

function bucketSources(deps: Deps, bucket: Repo): Source[] {
  return listBucketFiles(deps, bucket).map(({ path, oid, size }) => ({
    path,
    oid,
    open: () => (size === 0 ? Readable.from([]) : deps.objects.lfs.open(oid)),
  }))
}

async function repoSources(
  deps: Deps,
  repo: Repo,
  { revision = 'main' }: JobVolume,
): Promise<Source[]> {
  const objects = deps.objects.of(repo)
  const { commit } = resolveRevision(objects, repo, revision)
  const findLarge = largeFilesOf(deps, repo)
  return Array.from(filesOf(objects, commit.treeId), (file) => {
    const large = findLarge(file)
    const open = () =>
      large === undefined ? objects.openBlob(file.oid) : deps.objects.lfs.open(large.oid)
    return { path: file.path, open }
  })
}

/**
 * Stores what has changed in the folder of a bucket.
 * @param others folders of other volumes, which may be inside
 * @returns the number of changed files
 */
async function storeVolume(
  deps: Deps,
  job: Job,
  { volume, folder, repo, files }: Mounted,
  others: readonly string[],
): Promise<number> {
  const prefix = volume.path === '' ? '' : `${volume.path}/`
  const present = new Set<string>()
  const changes: BucketChange[] = []
  for await (const file of walk(folder, others)) {
    const inside = relative(folder, file).split(sep).join('/')
    present.add(inside)
    const before = files.get(inside)
    const { size, mtimeMs } = await lstat(file)
    if (before?.size === size && before.mtimeMs === mtimeMs) continue
    const path = prefix + inside
    if (problemOfPath(path) !== undefined) continue
    if (before?.oid !== undefined && (await hashOf(file)) === before.oid) continue
    const content = await storeStream(deps.objects, createReadStream(file))
    changes.push({ kind: 'add', path, content, mtime: Math.floor(mtimeMs) })
  }
  // The sandbox may have been reset, or the bucket deleted, while the job ran.
  const bucket = deps.state.repos.get(repo.id)
  if (bucket === undefined || !deps.state.jobs.has(job.id)) return 0
  for (const inside of files.keys()) {
    const path = prefix + inside
    if (present.has(inside) || findBucketFile(deps, bucket, path) === undefined) continue
    changes.push({ kind: 'delete', path })
  }
  const actor = job.creatorId === undefined ? {} : { actorId: job.creatorId }
  changeBucketFiles(deps, { bucket, changes, ...actor })
  return changes.length
}

/** Lists the files of a folder. Links and special files are left out, since they may lead elsewhere. */
async function* walk(folder: string, others: readonly string[]): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !others.includes(path)) yield* walk(path, others)
    else if (entry.isFile()) yield path
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file)) hash.update(bytes as Uint8Array)
  return hash.digest('hex')
}
