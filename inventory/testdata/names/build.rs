fn main() {
    println!("cargo:rustc-link-search=native=../build");
    println!("cargo:rustc-link-lib=dylib=vmaf"); // want: link-authority
    println!("cargo:rustc-link-lib=m");
}
