import { useEffect, useRef, useState } from 'react'
import { useExperiments, useRunExperiment, useStopExperiment } from './requests.ts'
import { experimentsOf, isRunning, type Player } from './run-all.ts'

interface Progress {
  id: string
  /** Place of the current experiment, from 1. */
  at: number
  total: number
}

const pollMs = 700

/** Runs all experiments one after the other: each waits for the verdict of the one before. */
export function useRunAll() {
  const [progress, setProgress] = useState<Progress>()
  /** Why an experiment could not be run. */
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const { data, refetch } = useExperiments()
  const { mutateAsync: start } = useRunExperiment({ toldByCaller: true })
  const stop = useStopExperiment()
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])

  async function isDecided(id: string): Promise<boolean> {
    const { data: list } = await refetch()
    const experiment = list?.items.find((item) => item.id === id)
    return experiment === undefined || !isRunning(experiment)
  }

  async function runAll(player: Player, signal: AbortSignal): Promise<void> {
    const queue = experimentsOf(data?.items ?? [], player)
    for (const [index, { id, demo }] of queue.entries()) {
      setProgress({ id, at: index + 1, total: queue.length })
      try {
        await start({ id, play: player === 'demo' && demo !== undefined })
        while (!signal.aborted && !(await isDecided(id))) await wait(pollMs, signal)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        setProblems((before) => new Map(before).set(id, reason))
      }
      if (signal.aborted) return
    }
    setProgress(undefined)
  }

  return {
    problems,
    progress,
    begin: (player: Player) => {
      ending.current = new AbortController()
      setProblems(new Map())
      void runAll(player, ending.current.signal)
    },
    end: () => {
      ending.current?.abort()
      if (progress) stop.mutate(progress.id)
      setProgress(undefined)
    },
    /** Forgets why an experiment could not be run, for it is run again. */
    forget: (id: string) =>
      setProblems((before) => new Map([...before].filter(([key]) => key !== id))),
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
