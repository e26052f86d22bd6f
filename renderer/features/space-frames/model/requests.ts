import type {
  OpenSpaceFrameRequest,
  SpaceFrameItem,
} from '../../../../server/contract/control-frames.ts'
import { callApi } from '../../../api/client.ts'
import { useRead, useWrite } from '../../../api/query.ts'

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
    failed: 'Could not open the frame',
  })
}

export function useSetMode({ id }: Pick<SpaceFrameItem, 'id'>) {
  return useWrite({
    call: (mode: SpaceFrameItem['mode']) =>
      callApi('PATCH space-frames/:id', { params: { id }, body: { mode } }),
    changes,
    failed: 'Could not change the mode',
  })
}

export function useCloseFrame() {
  return useWrite({
    call: ({ id }: Pick<SpaceFrameItem, 'id'>) =>
      callApi('DELETE space-frames/:id', { params: { id } }),
    changes,
    done: 'Frame closed',
    failed: 'Could not close the frame',
  })
}
