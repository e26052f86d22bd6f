import { CSPProvider } from '@base-ui/react/csp-provider'
import { Tooltip } from '@base-ui/react/tooltip'
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, type ReactNode } from 'react'
import { Router } from 'wouter'
import { ApiError } from '../api/client.ts'
import { connectLive, liveAddress } from '../api/live.ts'
import { LiveContext } from '../api/live-context.ts'
import { createLiveHistory } from '../api/live-history.ts'
import { followLive } from '../api/live-updates.ts'
import { notify, notifyFailure, ToastProvider } from '../ui/toast.tsx'
import { isListed } from '../features/home/model/describe-entry.ts'

const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onSuccess: (response, _input, _context, { meta }) => {
      if (meta?.done !== undefined) notify([meta.done, ...noticesOf(response)].join('. '))
    },
    onError: (error, _input, _context, { meta }) => {
      if (meta?.failed !== undefined) notifyFailure(meta.failed, error)
    },
  }),
  defaultOptions: {
    queries: {
      // The live feed reports changes, so data never becomes stale by time alone.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      retry: (count, error) => error instanceof ApiError && error.status === 0 && count < 2,
    },
  },
})

/** Notices in the response to a successful change. */
function noticesOf(response: unknown): string[] {
  const { notices = [] } = (response ?? {}) as { notices?: string[] }
  return notices
}

const connection = connectLive(liveAddress())
const history = createLiveHistory(isListed)

export function Providers({ children }: { children: ReactNode }) {
  useEffect(() => followLive(connection, history, queryClient), [])
  const live = useMemo(() => ({ connection, history }), [])
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <LiveContext value={live}>
          <Tooltip.Provider delay={400}>
            <Router base={import.meta.env.BASE_URL.replace(/\/$/, '')}>
              <ToastProvider>{children}</ToastProvider>
            </Router>
          </Tooltip.Provider>
        </LiveContext>
      </QueryClientProvider>
    </CSPProvider>
  )
}
