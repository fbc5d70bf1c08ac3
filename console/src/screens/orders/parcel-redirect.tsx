import { Navigate, useParams } from "react-router";
import { api, unwrap } from "../../api.ts";
import { useData } from "../../data.ts";
import { linkTo } from "../../links.ts";
import { Loaded } from "../../parts/loaded.tsx";

/** Redirects to the parcels of the order. */
export function ParcelRedirect() {
  const { clientId = "", olpnId = "" } = useParams();
  const parcel = useData(["parcel", clientId, olpnId], (signal) => {
    const params = { path: { olpnId }, query: { clientId } };
    return unwrap(api.GET("/client/olpn/get/{olpnId}", { params, signal }));
  });
  return (
    <Loaded query={parcel} what="The parcel" height={480}>
      {({ orderId }) => (
        <Navigate to={`${linkTo("order", clientId, orderId)}?tab=parcels#${encodeURIComponent(olpnId)}`} replace />
      )}
    </Loaded>
  );
}
