import { useEffect } from 'react'

/**
 * Where a link of the app to the landing page arrives: that one is a document of its own, so the address, which is right
 * already, is loaded.
 */
export const FrontDoor = () => {
  useEffect(() => location.reload(), [])
  return null
}
