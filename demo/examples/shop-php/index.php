<?php
// A page of a plain PHP shop. Beside it lies HcCheckout.php of hc-checkout-client.
require 'HcCheckout.php';

$companion = getenv('COMPANION');
$hc = new HcCheckout\Client($companion, getenv('HC_MERCHANT_KEY'));
$order = ['amount' => 2300, 'currency' => 'KES', 'orderId' => 'A-1', 'description' => 'Lamp'];
$session = $hc->createSession($order); // the same one at each reload
header('Cache-Control: no-store'); // the token is for one customer: no cache may give it to another
?>
<!doctype html>
<title>Lamps</title>
<script type="module" src="<?= htmlspecialchars($companion) ?>/widget/v1/hc-checkout.js"></script>
<script nomodule src="<?= htmlspecialchars($companion) ?>/widget/v1/hc-checkout-legacy.js"></script>
<hc-checkout companion="<?= htmlspecialchars($companion) ?>" session="<?= htmlspecialchars($session['token']) ?>">
  <a href="<?= htmlspecialchars($session['payUrl']) ?>">Pay with mobile money</a>
</hc-checkout>
<p id="thanks" hidden>Thank you for the lamp!</p>
<script>
  document.querySelector('hc-checkout').addEventListener('hc-success', () => (thanks.hidden = false))
</script>
