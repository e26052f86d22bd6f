import { isoTime } from '../../core/time.ts'
import { clearInterval, setInterval } from '../../core/timers.ts'
import { findHardware } from '../jobs/hardware.ts'
import type { JobLine } from '../jobs/job-log.ts'
import { jobSample } from '../jobs/job-sample.ts'
import type { Job } from '../../store/entities/webhook-entities.ts'
import type { EventSource } from './event-streams.ts'
import type { HubServices } from '../services.ts'

const metricsMs = 1000

/** Ends the stream of a source with its job. */
export function whileRunning(
  { jobs }: Pick<HubServices, 'jobs'>,
  job: Job,
  source: EventSource,
): EventSource {
  return (send, end) => {
    void jobs.whenOver(job.id).then(end)
    return source(send, end)
  }
}

/**
 * The lines printed so far, then new ones.
 * @param tail number of earlier lines; absent = all
 */
export function logOf(
  { logs }: HubServices['jobs'],
  job: Job,
  tail: number | undefined,
): EventSource {
  return (send) => {
    const sendLine = (line: JobLine) => {
      const timestamp = isoTime(line.at)
      send(`data: ${JSON.stringify({ data: line.text, timestamp })}\n\n`)
    }
    const lines = logs.read(job.id)
    for (const line of tail === undefined ? lines : lines.slice(lines.length - tail)) sendLine(line)
    return logs.follow(job.id, sendLine)
  }
}

/** The present stage, then each new one. */
export function stagesOf({ bus, clock, state }: HubServices, job: Job): EventSource {
  return (send) => {
    const sendStage = () => {
      const { stage, message = null } = state.jobs.get(job.id) ?? job
      send(`data: ${JSON.stringify({ stage, message, timestamp: isoTime(clock.now()) })}\n\n`)
    }
    sendStage()
    return bus.on('job.updated', ({ data }) => {
      if (data.jobId === job.id) sendStage()
    })
  }
}

/** A measurement of the process now, then one each second. */
export function metricsOf({ jobs, clock }: HubServices, job: Job): EventSource {
  return (send) => {
    const hardware = findHardware(job.spec.flavor)
    let earlier = { at: clock.realNow(), usage: jobs.usage(job.id) }
    const sendSample = () => {
      const now = { at: clock.realNow(), usage: jobs.usage(job.id) }
      send(`event: metric\ndata: ${JSON.stringify(jobSample(job, hardware, earlier, now))}\n\n`)
      earlier = now
    }
    sendSample()
    const timer = setInterval(sendSample, metricsMs)
    return () => clearInterval(timer)
  }
}
