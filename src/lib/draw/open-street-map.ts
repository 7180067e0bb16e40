/** The map tiles of openstreetmap.org. Their use has a policy: https://operations.osmfoundation.org/policies/tiles/ */
export const openStreetMap = {
  url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  attribution: '© [OpenStreetMap contributors](https://www.openstreetmap.org/copyright)',
};
