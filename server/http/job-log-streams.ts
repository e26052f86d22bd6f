import { Readable } from 'node:stream'
import { isoTime } from '../core/time.ts'
import { clearInterval, setInterval } from '../core/timers.ts'
import type { JobLine } from '../hub/jobs/job-log.ts'
import type { Job } from '../state/entities/webhooks.ts'
import type { ServerDeps } from './server-deps.ts'

/** Clients treat a silent stream as dead. */
const keepAliveMs = 30_000

/** Open streams of server-sent events with the output of jobs. */
export class JobLogStreams {
  readonly #jobs: ServerDeps['jobs']
  readonly #endings = new Set<() => void>()

  constructor({ jobs }: Pick<ServerDeps, 'jobs'>) {
    this.#jobs = jobs
  }

  /**
   * Streams the lines printed so far, then new ones until the job is over.
   * @param tail number of earlier lines; absent = all
   */
  open(job: Job, tail: number | undefined): Readable {
    const stream = new Readable({ read() {} })
    const send = (line: JobLine) => {
      const timestamp = isoTime(line.at)
      stream.push(`data: ${JSON.stringify({ data: line.text, timestamp })}\n\n`)
    }
    const lines = this.#jobs.logs.read(job.id)
    for (const line of tail === undefined ? lines : lines.slice(lines.length - tail)) send(line)
    const stopFollowing = this.#jobs.logs.follow(job.id, send)
    const keepAlive = setInterval(() => stream.push(': keep-alive\n\n'), keepAliveMs)
    const end = () => {
      if (!stream.destroyed) stream.push(null)
    }
    stream.on('close', () => {
      stopFollowing()
      clearInterval(keepAlive)
      this.#endings.delete(end)
    })
    void this.#jobs.whenOver(job.id).then(end)
    this.#endings.add(end)
    return stream
  }

  /** Ends all streams: a server with an open one cannot close. */
  end(): void {
    for (const end of this.#endings) end()
  }
}
