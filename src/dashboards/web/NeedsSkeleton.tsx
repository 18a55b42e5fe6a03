import { Skeleton } from '../../kit/web/ui/States.tsx'

export const NeedsSkeleton = () => <Skeleton className="h-28 rounded-xl" />
