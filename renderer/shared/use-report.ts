import { useMutation } from '@tanstack/react-query'
import type { FlowText } from '../../server/contract/control-flows.ts'
import { saveFile } from '../lib/save-file.ts'

/** Saves an HTML report as a file. */
export function useReport() {
  return useMutation({
    mutationFn: async (read: () => Promise<FlowText>) => {
      const { filename, text } = await read()
      saveFile(filename, new Blob([text], { type: 'text/html;charset=utf-8' }))
    },
    meta: { failed: 'Could not write the report' },
  })
}
