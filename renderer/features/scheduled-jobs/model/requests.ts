import type {
  CreateScheduledJobRequest,
  ScheduledJobItem,
} from '../../../../server/contract/control-jobs.ts'
import { callApi } from '../../../api/client.ts'
import { useWholeList, useWrite } from '../../../api/query.ts'

type Named = Pick<ScheduledJobItem, 'id'>

export function useScheduledJobs() {
  return useWholeList('GET scheduled-jobs')
}

export function useCreateScheduledJob() {
  return useWrite({
    call: (body: CreateScheduledJobRequest) => callApi('POST scheduled-jobs', { body }),
    changes: ['scheduled-jobs'],
    done: 'Job scheduled',
    failed: 'Could not schedule the job',
  })
}

export function useSuspendScheduledJob() {
  return useWrite({
    call: ({ id, suspend }: Named & Pick<ScheduledJobItem, 'suspend'>) =>
      callApi('PATCH scheduled-jobs/:id', { params: { id }, body: { suspend } }),
    changes: ['scheduled-jobs'],
    failed: 'Could not change the scheduled job',
  })
}

export function useRunScheduledJob() {
  return useWrite({
    call: ({ id }: Named) => callApi('POST scheduled-jobs/:id/run', { params: { id } }),
    changes: ['scheduled-jobs', 'jobs'],
    done: 'Job started',
    failed: 'Could not start the job',
  })
}

export function useDeleteScheduledJob() {
  return useWrite({
    call: ({ id }: ScheduledJobItem) => callApi('DELETE scheduled-jobs/:id', { params: { id } }),
    changes: ['scheduled-jobs'],
    done: 'Scheduled job deleted',
    failed: 'Could not delete the scheduled job',
  })
}
