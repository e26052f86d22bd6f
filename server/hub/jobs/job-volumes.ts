import { volumeTypes } from '../../contract/words/hub-words.ts'
import type { Issue } from '../../core/config-error.ts'
import { problemOfPath } from '../rules/file-paths.ts'
import type { SpaceVolume } from '../../store/entities/hub-entities.ts'
import type { JobSpec } from '../../store/entities/webhook-entities.ts'

type GivenVolume = NonNullable<JobSpec['volumes']>[number]

/** Volume of a job, whose paths are checked. */
export interface JobVolume extends Pick<SpaceVolume, 'type' | 'source' | 'mountPath' | 'revision'> {
  /** Whether changes are thrown away; repos are always read-only. */
  readonly readOnly: boolean
  /** Folder in the repo or bucket; empty for all of it. */
  readonly path: string
}

/** Lists the volumes of a job without issues. */
export function volumesOf({ volumes = [] }: Pick<JobSpec, 'volumes'>): JobVolume[] {
  return volumes.map((volume) => {
    const {
      type,
      source,
      mountPath,
      revision,
      readOnly,
      path = '',
    } = volume as unknown as SpaceVolume
    return {
      type,
      source,
      mountPath,
      ...(revision !== undefined && { revision }),
      readOnly: readOnly === true || type !== 'bucket',
      path: withoutSlashes(path),
    }
  })
}

/** Finds the mistakes in the volumes of a job, each with its path below `at`. */
export function findVolumeIssues(at: string, volumes: readonly GivenVolume[] = []): Issue[] {
  const seen = new Set<unknown>()
  return volumes.flatMap((volume, index) => {
    const place = (name: string) => `${at}.${index}.${name}`
    const { type, source, mountPath, path = '', revision = '', readOnly = false } = volume
    const issues: Issue[] = []
    if (!volumeTypes.some((known) => known === type)) {
      issues.push({ path: place('type'), message: `Use one of ${volumeTypes.join(', ')}.` })
    }
    if (typeof source !== 'string' || !/^[^/]+\/[^/]+$/.test(source)) {
      issues.push({ path: place('source'), message: 'The source is namespace/name.' })
    }
    const problem = problemOfMountPath(mountPath)
    if (problem !== undefined) issues.push({ path: place('mountPath'), message: problem })
    else if (seen.has(mountPath)) {
      issues.push({ path: place('mountPath'), message: `Two volumes have ${String(mountPath)}.` })
    }
    seen.add(mountPath)
    if (typeof path !== 'string' || (withoutSlashes(path) !== '' && badPath(path))) {
      issues.push({ path: place('path'), message: 'The path is a folder of the source.' })
    }
    if (typeof revision !== 'string') {
      issues.push({ path: place('revision'), message: 'The revision is a string.' })
    }
    if (typeof readOnly !== 'boolean') {
      issues.push({ path: place('readOnly'), message: 'Use true or false.' })
    }
    return issues
  })
}

function problemOfMountPath(mountPath: unknown): string | undefined {
  if (typeof mountPath !== 'string' || !mountPath.startsWith('/')) {
    return 'The mount path is absolute: it begins with a slash.'
  }
  const problem = problemOfPath(mountPath.slice(1).replace(/\/$/, ''))
  return problem === undefined ? undefined : `Invalid mount path ${mountPath}: ${problem}.`
}

function badPath(path: string): boolean {
  return problemOfPath(withoutSlashes(path)) !== undefined
}

function withoutSlashes(path: string): string {
  return path.replace(/^\/+/, '').replace(/\/+$/, '')
}
