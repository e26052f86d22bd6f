import type { CreateSnapshotRequest } from '../../../server/contract/control-sandbox.ts'
import { callApi } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/query.ts'

export function useKeys() {
  return useRead('GET keys')
}

export function useRotateKey() {
  return useWrite({
    call: (body: { keepOld: boolean }) => callApi('POST keys/rotate', { body }),
    changes: ['keys'],
    done: 'Signing key rotated',
    failed: 'The key could not be rotated',
  })
}

export function useSnapshots() {
  return useRead('GET snapshots')
}

export function useCreateSnapshot() {
  return useWrite({
    call: (body: CreateSnapshotRequest) => callApi('POST snapshots', { body }),
    changes: ['snapshots'],
    done: 'Snapshot kept',
  })
}

export function useRestoreSnapshot() {
  return useWrite({
    call: (name: string) => callApi('POST snapshots/:name/restore', { params: { name } }),
    changes: ['snapshots'],
    done: 'Snapshot restored',
    failed: 'The snapshot could not be restored',
  })
}

export function useDeleteSnapshot() {
  return useWrite({
    call: (name: string) => callApi('DELETE snapshots/:name', { params: { name } }),
    changes: ['snapshots'],
    failed: 'The snapshot could not be deleted',
  })
}

export function useReset() {
  return useWrite({
    call: () => callApi('POST reset'),
    changes: [],
    done: 'Everything is as the fixtures say',
    failed: 'The reset failed',
  })
}
