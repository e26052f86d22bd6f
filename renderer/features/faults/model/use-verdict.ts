import { useEffect, useState } from 'react'
import type { FaultItem } from '../../../../server/contract/control-faults.ts'
import { useWholeList } from '../../../api/query.ts'
import type { Experiment } from './experiments.ts'
import { judgeExperiment, type Verdict } from './judge-experiment.ts'

/** Real time after the fault in which an app would have gone on. */
const watchMs = 6000

/** Verdict of a running experiment, which follows the request log; `undefined` while the log is read. */
export function useVerdict(experiment: Experiment, fault: FaultItem): Verdict | undefined {
  const { data } = useWholeList('GET requests')
  const requests = data?.items ?? []
  const isOver = useTimePassed(fault.hits > 0)
  return data && judgeExperiment(experiment, { fault, requests, isOver })
}

/** Tells whether something has been so for a while. */
function useTimePassed(isSo: boolean): boolean {
  const [hasPassed, setPassed] = useState(false)
  useEffect(() => {
    if (!isSo) return undefined
    const timer = setTimeout(() => setPassed(true), watchMs)
    return () => clearTimeout(timer)
  }, [isSo])
  return isSo && hasPassed
}
