import type {
  AddFaultRequest,
  BarrierList,
  FaultList,
  FaultItem,
} from '../../../server/contract/control-faults.ts'
import type {
  CreatedSnapshot,
  CreateSnapshotRequest,
  KeyList,
  RotatedKey,
  SnapshotList,
} from '../../../server/contract/control-sandbox.ts'
import { callApi, part } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/query.ts'

export function useFaults() {
  return useRead<FaultList>('faults')
}

export function useAddFault() {
  return useWrite<AddFaultRequest, FaultItem>({
    call: (body) => callApi('faults', { method: 'POST', body }),
    changes: ['faults'],
    done: 'Fault added',
  })
}

export function useRemoveFault() {
  return useWrite<string>({
    call: (id) => callApi(`faults/${part(id)}`, { method: 'DELETE' }),
    changes: ['faults'],
    failed: 'The fault could not be removed',
  })
}

export function useBarriers() {
  return useRead<BarrierList>('barriers')
}

export function useReleaseBarrier() {
  return useWrite<string>({
    call: (id) => callApi(`barriers/${part(id)}/release`, { method: 'POST', body: {} }),
    changes: ['barriers'],
    done: 'Requests released',
    failed: 'The barrier could not be released',
  })
}

export function useKeys() {
  return useRead<KeyList>('keys')
}

export function useRotateKey() {
  return useWrite<{ keepOld: boolean }, RotatedKey>({
    call: (body) => callApi('keys/rotate', { method: 'POST', body }),
    changes: ['keys'],
    done: 'Signing key rotated',
    failed: 'The key could not be rotated',
  })
}

export function useSnapshots() {
  return useRead<SnapshotList>('snapshots')
}

export function useCreateSnapshot() {
  return useWrite<CreateSnapshotRequest, CreatedSnapshot>({
    call: (body) => callApi('snapshots', { method: 'POST', body }),
    changes: ['snapshots'],
    done: 'Snapshot kept',
  })
}

export function useRestoreSnapshot() {
  return useWrite<string>({
    call: (name) => callApi(`snapshots/${part(name)}/restore`, { method: 'POST', body: {} }),
    changes: ['snapshots'],
    done: 'Snapshot restored',
    failed: 'The snapshot could not be restored',
  })
}

export function useDeleteSnapshot() {
  return useWrite<string>({
    call: (name) => callApi(`snapshots/${part(name)}`, { method: 'DELETE' }),
    changes: ['snapshots'],
    failed: 'The snapshot could not be deleted',
  })
}

export function useReset() {
  return useWrite({
    call: () => callApi('reset', { method: 'POST', body: {} }),
    changes: [],
    done: 'Everything is as the fixtures say',
    failed: 'The reset failed',
  })
}
