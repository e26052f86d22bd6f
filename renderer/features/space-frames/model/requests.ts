import type {
  OpenSpaceFrameRequest,
  SpaceFrameItem,
} from '../../../../server/contract/control-frames.ts'
import { callApi } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/query.ts'
import { words } from '../words.ts'

const changes = ['space-frames', 'apps'] as const

export function useSpaceFrames() {
  return useRead('GET space-frames')
}

export function useSpaceFrame(id: string) {
  return useRead('GET space-frames/:id', { params: { id } })
}

export function useOpenFrame() {
  return useWrite({
    call: (body: OpenSpaceFrameRequest) => callApi('POST space-frames', { body }),
    changes,
    failed: words.openFailed,
  })
}

export function useSetMode({ id }: Pick<SpaceFrameItem, 'id'>) {
  return useWrite({
    call: (mode: SpaceFrameItem['mode']) =>
      callApi('PATCH space-frames/:id', { params: { id }, body: { mode } }),
    changes,
    failed: words.modeFailed,
  })
}

export function useCloseFrame() {
  return useWrite({
    call: ({ id }: Pick<SpaceFrameItem, 'id'>) =>
      callApi('DELETE space-frames/:id', { params: { id } }),
    changes,
    done: words.closed,
    failed: words.closeFailed,
  })
}
